using System.IO;
using Transport.Loads.Scenarios;

namespace Transport.Loads.Commands;

/// <summary>What --help says.</summary>
internal static class Help
{
    public static void Write(TextWriter output)
    {
        output.WriteLine("""
            Measures Transport between processes, beside the physical floor and what people write today, in one run.

            dotnet run -c Release --project perf/Transport.Loads -- SCENARIO...|all [options]
            dotnet run -c Release --project perf/Transport.Loads -- picture TRACE.json FILE.svg TITLE    draws a trace

              --quick       few short rounds and wide limits: shows that everything runs and is sane
              --rounds N    interleaved rounds of every column (default 15; quick 3)
              --json FILE   writes every round as JSON
              --svg DIR     writes plots
              --markdown FILE  writes the tables as a page, with date, machine, commit and this command
              --columns C,D   of the scenario events these columns alone; transport must be among them
              --check       exit code 1, with names, where a target does not hold

            Columns: transport (this library), bytes (C, encoded beforehand), raw (C#, by hand, no queue),
            seed (a pooled buffer and one awaited pipe write a packet), channel (bounded channel of objects, batching consumer).
            Columns of the journal: transport, C (same frames, same system calls), sqlite, redis; in a folder on a real disk (TRANSPORT_LOADS_DISK chooses it).
            Columns of files and extract: transport, mmap (through mappings), GNU tar, unzip, .NET's TarFile, ZipFile and File.WriteAllBytes; the same disk.
            A target holds where the 90 % interval of the median over the rounds does. Exit codes: 0, 1 (a target or a load failed), 2 (arguments).

            Scenarios:
            """);
        foreach (IScenario scenario in ScenarioList.All)
        {
            output.WriteLine($"  {scenario.Name,-17}{scenario.Summary}");
        }
    }
}
