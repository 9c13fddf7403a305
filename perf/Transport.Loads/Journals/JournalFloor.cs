using System;
using System.Globalization;
using System.IO;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Journals;

/// <summary>The floors in C (perf/floor/journal.c), compiled once into the loads' folder.</summary>
internal sealed class JournalFloor
{
    private readonly string _folder;
    private readonly string _program;
    private int _files;

    public JournalFloor(string folder)
    {
        _folder = folder;
        _program = Path.Combine(folder, "floor");
        Missing = CFloor.Compile("journal.c", _program);
    }

    /// <summary>Gets why there is no such column, or null.</summary>
    public string? Missing { get; }

    /// <summary>Begins to append in one of the floor's modes; null if there is no floor.</summary>
    /// <param name="mode">The mode.</param>
    /// <param name="load">Size, producers and depth.</param>
    /// <param name="bytes">The file's length.</param>
    public IJournalRival? Append(string mode, JournalLoad load, long bytes) => Missing is not null ? null : new Appender(new LineProcess(
        _program, mode, NewFile(), Text(load.Size), Text(load.Producers), Text(load.Depth), Text(bytes)));

    /// <summary>Begins to check the records in segment files; a round is one pass over all of them.</summary>
    public IJournalRival? Scan(string[] files) => Missing is not null ? null : new Appender(new LineProcess(_program, ["scan", .. files]));

    /// <summary>Starts a process that rewrites a file for as long as it is asked to; null if there is no floor.</summary>
    public Rewriter? Rewrite(long bytes) => Missing is not null ? null
        : new Rewriter(new LineProcess(_program, "rewrite", NewFile(), Text(bytes)));

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private string NewFile() => Path.Combine(_folder, FormattableString.Invariant($"floor-{++_files}.dat"));

    /// <summary>Writes a file anew and anew between <see cref="Go"/> and <see cref="Stop"/>.</summary>
    internal sealed class Rewriter(LineProcess process) : IDisposable
    {
        public void Go() => process.Ask("go");

        public void Stop() => process.Ask("stop");

        public void Dispose() => process.Dispose();
    }

    private sealed class Appender(LineProcess process) : IJournalRival
    {
        public JournalSample Run(int milliseconds)
        {
            double[] n = Array.ConvertAll(process.Ask(Text(milliseconds)).Split(' '), t => double.Parse(t, CultureInfo.InvariantCulture));
            return new JournalSample((long)n[0], n[1] / 1e9, n[2], Wait: n[5] > 0 ? new Distribution(n[3], n[4], double.NaN, n[5]) : null);
        }

        public void Dispose() => process.Dispose();
    }
}
