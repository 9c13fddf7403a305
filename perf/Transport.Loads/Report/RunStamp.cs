using System;
using System.Globalization;
using System.IO;

namespace Transport.Loads.Report;

/// <summary>When, from which commit, on which machine and by which command figures were measured.</summary>
/// <param name="Machine">The machine.</param>
/// <param name="Date">The day, as year-month-day.</param>
/// <param name="Commit">The commit, and whether something had changed since.</param>
/// <param name="Command">The command that redoes it.</param>
/// <param name="Load">How many processes wanted to run before the first and after the last round (load average of a minute): what else went
/// on.</param>
internal sealed record RunStamp(Machine Machine, string Date, string Commit, string Command, string Load)
{
    public static RunStamp Now(Machine machine, string[] args, string loadBefore) => new(
        machine,
        TimeProvider.System.GetLocalNow().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture),
        Repository.Commit(),
        Redo.Command(args),
        $"{loadBefore} before, {LoadAverage()} after");

    /// <summary>Reads the load average of the last minute; a question mark if there is none.</summary>
    public static string LoadAverage()
    {
        const string Averages = "/proc/loadavg";
        return File.Exists(Averages) ? File.ReadAllText(Averages).Split(' ')[0] : "?";
    }
}
