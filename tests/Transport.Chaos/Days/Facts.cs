using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading;

namespace Transport.Chaos.Days;

/// <summary>Writes down what one party of a round has seen, a line a fact, for the judge. A fact is with the kernel before the call returns,
/// so that it outlives the process.</summary>
internal sealed class Facts : IDisposable
{
    private readonly Lock _gate = new();
    private readonly FileStream _file;

    public Facts(string folder, string party) => _file = new FileStream(
        Path.Combine(folder, party + ".facts"), FileMode.Append, FileAccess.Write, FileShare.Read, bufferSize: 0);

    /// <summary>Writes a fact: the system's monotonic time in ms, a word, and what belongs to it.</summary>
    public void Note(FormattableString fact)
    {
        double time = Stopwatch.GetTimestamp() * 1000.0 / Stopwatch.Frequency;
        string text = fact.ToString(CultureInfo.InvariantCulture).ReplaceLineEndings(" ");
        byte[] line = Encoding.UTF8.GetBytes(time.ToString("0.000", CultureInfo.InvariantCulture) + " " + text + "\n");
        lock (_gate)
        {
            _file.Write(line);
        }
    }

    public void Dispose() => _file.Dispose();
}
