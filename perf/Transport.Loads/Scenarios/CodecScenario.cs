using System;
using System.Collections.Generic;
using System.Globalization;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>The log event as MessagePack beside the same fields by hand (BinaryPrimitives, the column <c>raw</c>), in one process, in
/// turns.</summary>
internal sealed class CodecScenario : IScenario
{
    public string Name => "codec";

    public string Summary => "encode and decode a 256 B event, beside BinaryPrimitives by hand (no process boundary)";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var encode = new List<Dictionary<string, double>>();
        var decode = new List<Dictionary<string, double>>();
        var check = new List<Dictionary<string, double>>();
        using var worker = new LoadWorker(string.Empty, "codec");
        int turns = options.Quick ? 10 : 40;
        for (int i = options.Quick ? -20 : -60; i < options.Rounds; i++)
        {
            worker.Go(turns);
            double[] ns = Array.ConvertAll(worker.Done().Split(' '), t => double.Parse(t, CultureInfo.InvariantCulture));
            if (i >= 0)
            {
                encode.Add(new(StringComparer.Ordinal) { [Column.Transport] = ns[0], [Column.Raw] = ns[1] });
                check.Add(new(StringComparer.Ordinal) { [Column.Transport] = ns[4] });
                decode.Add(new(StringComparer.Ordinal) { [Column.Transport] = ns[2], [Column.Raw] = ns[3] });
            }
        }

        yield return Row.Make(options, Name, "encode", "ns/event", Row.Pick(encode, v => v), Column.Raw, Target.AtMost(1.4));
        yield return Row.Make(options, Name, "check that the body is one value", "ns/event", Row.Pick(check, v => v));
        yield return Row.Make(options, Name, "decode", "ns/event", Row.Pick(decode, v => v), Column.Raw, Target.AtMost(1.25));
    }
}
