using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Journals;
using Transport.Loads.Report;

namespace Transport.Loads.Scenarios;

/// <summary>Records of 256 B that are synced once a second, or never. A round is a little over a second long, so that each has a sync in
/// it.</summary>
internal sealed class JournalSecondScenario : IScenario
{
    private const int Second = 1050;

    private static readonly JournalCase[] s_cases =
    [
        new("EverySecond, 1 producer that does not wait", new JournalLoad("EverySecond", JournalWay.Queue), "buffer")
        {
            Redis = ("everysec", 50, 64), AgainstRedis = Target.AtLeast(4), Milliseconds = Second,
        },
        new("EverySecond, one write a record", new JournalLoad("EverySecond", JournalWay.Threads), "writes")
        {
            AgainstFloor = Target.AtLeast(0.95), Milliseconds = Second,
        },
    ];

    public string Name => "journal-second";

    public string Summary => "the journal synced once a second, 256 B: a producer that does not wait, and one write a record";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using var bench = new JournalBench(options);
        return [.. s_cases.SelectMany(c => JournalRows.Of(options, Name, c, bench, bench.Run(c, options.Rounds)))];
    }
}
