using System;
using System.Collections.Generic;
using System.IO;
using Transport.Loads.Report;

namespace Transport.Loads.Commands;

/// <summary><c>page DATA.json PAGE.md [PLOTS]</c>: what a run measured as a page, and each row as a picture.</summary>
internal static class PageCommand
{
    public const string Word = "page";

    public static int Run(string[] args)
    {
        if (args.Length is not (2 or 3))
        {
            Console.Error.WriteLine($"{Word} takes two or three words: DATA.json PAGE.md [PLOTS].");
            return 2;
        }

        try
        {
            Results results = JsonReport.Read(args[0]);
            Page.Write(args[1], results, Redo.Command([Word, .. args]));
            IReadOnlyList<string> missing = args.Length > 2 ? Plots.Write(args[2], results.Stamp.Machine, results.Rows) : [];
            foreach (string plot in missing)
            {
                Console.Error.WriteLine(plot);
            }

            return missing.Count > 0 ? 1 : 0;
        }
        catch (LoadException wrong)
        {
            Console.Error.WriteLine(wrong.Message);
            return 2;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            Console.Error.WriteLine($"{string.Join(" and ", args[1..])} cannot be written: {e.Message}");
            return 2;
        }
    }
}
