using System;
using System.IO;
using Transport.Loads.Report;

namespace Transport.Loads.Commands;

/// <summary><c>history DATA.json GATE.json HISTORY.json PLOT.svg</c>: adds the gate's quotients of a run to the history, and draws
/// it.</summary>
internal static class HistoryCommand
{
    public const string Word = "history";

    public static int Run(string[] args)
    {
        if (args.Length != 4)
        {
            Console.Error.WriteLine($"{Word} takes four words: DATA.json GATE.json HISTORY.json PLOT.svg.");
            return 2;
        }

        try
        {
            Results results = JsonReport.Read(args[0]);
            var history = new History(args[2]);
            history.Add($"{results.Stamp.Date}, {results.Stamp.Commit}, {results.Stamp.Machine}",
                new Gate(args[1]).QuotientsOf(results.Rows));
            File.WriteAllText(args[3], history.Draw().ToString());
            return 0;
        }
        catch (LoadException wrong)
        {
            Console.Error.WriteLine(wrong.Message);
            return 2;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            Console.Error.WriteLine($"{args[2]} and {args[3]} cannot be written: {e.Message}");
            return 2;
        }
    }
}
