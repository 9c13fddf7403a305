using System.IO;
using Transport.Loads.Scenarios;

namespace Transport.Loads.Commands;

/// <summary>What --help says.</summary>
internal static class Help
{
    public static void Write(TextWriter output)
    {
        CommandLine.WriteOptions(output);
        output.WriteLine("""
            dotnet run -c Release --project perf/Transport.Loads -- fleet FILE.svg [PACKETS]          200 shippers, one server, 4 receivers
            dotnet run -c Release --project perf/Transport.Loads -- page DATA.json PAGE.md [PLOTS]    a page and plots of the data of --json
            … -- picture TRACE.json FILE.svg TITLE   draws a trace
            … -- file-table DIR [SECONDS] [SIZES]    which way of writing files is faster on a disk
            … -- journal-table DIR [SECONDS]         which back end of the journal is

            Columns: transport (this library), bytes (C, encoded beforehand), raw (C#, by hand, no queue),
            seed (a pooled buffer and one awaited pipe write a packet), channel (bounded channel of objects, batching consumer).
            Columns of the journal: transport, C (same frames, same system calls), sqlite, redis; in a folder on a real disk
            (TRANSPORT_LOADS_DISK chooses it).
            Columns of files and extract: transport, mmap (through mappings), GNU tar, unzip, .NET's TarFile, ZipFile and
            File.WriteAllBytes; the same disk.
            Ctrl-C and SIGTERM end the worker processes and remove every temporary folder; what a killed run left, the next one removes.
            A target holds if the 90 % interval of the median over the rounds does. Exit codes: 0, 1 (a target or a load failed),
            2 (arguments).

            Groups and their scenarios:
            """);
        foreach (ScenarioGroup group in ScenarioList.Groups)
        {
            output.WriteLine($"  {group.Name}: {(group.Scenarios.Count > 1 ? "all of these" : "a group of one")}, about {group.Duration} "
                + $"with {LoadsCommand.FullRounds} rounds; perf/results/{group.Page}");
            foreach (IScenario scenario in group.Scenarios)
            {
                output.WriteLine($"    {scenario.Name,-17}{scenario.Summary}");
            }
        }
    }
}
