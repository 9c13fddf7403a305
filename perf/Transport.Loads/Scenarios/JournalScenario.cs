using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Journals;
using Transport.Loads.Report;

namespace Transport.Loads.Scenarios;

/// <summary>Records of 256 B that are safe when their producer goes on.</summary>
internal sealed class JournalScenario : IScenario
{
    private static readonly JournalCase[] s_cases =
    [
        new("Always, 1 producer", new JournalLoad("Always", JournalWay.Threads), "always")
        {
            Redis = ("always", 1, 1), Sqlite = 1, AgainstFloor = Target.AtLeast(0.92), AgainstRedis = Target.AtLeast(1.5),
                AgainstSqlite = Target.AtLeast(1.3),
        },
        new("Group, 1 producer", new JournalLoad("GroupCommit", JournalWay.Threads), "always"),
        new("Group, 4 waiting threads", new JournalLoad("GroupCommit", JournalWay.Threads, Producers: 4), "group")
        {
            Redis = ("always", 4, 1), Uring = true, AgainstFloor = Target.AtLeast(1.1),
        },
        new("Group, 4 awaiting tasks", new JournalLoad("GroupCommit", JournalWay.Tasks, Producers: 4), "group")
        {
            AgainstFloor = Target.AtLeast(1.1),
        },
        new("Group, 16 waiting threads", new JournalLoad("GroupCommit", JournalWay.Threads, Producers: 16), "group")
        {
            Redis = ("always", 16, 1), AgainstFloor = Target.AtLeast(1.1),
        },
        new("Group, 16 awaiting tasks", new JournalLoad("GroupCommit", JournalWay.Tasks, Producers: 16), "group")
        {
            AgainstFloor = Target.AtLeast(1.1),
        },
        new("Group, 4 x 64, one append and one wait for 64", new JournalLoad("GroupCommit", JournalWay.Threads, Producers: 4, Depth: 64),
            "group")
        {
            Redis = ("always", 50, 64), Sqlite = 64, AgainstFloor = Target.AtLeast(0.7), AgainstRedis = Target.AtLeast(1.2),
        },
        new("Group, 4 x 64, each append awaited by itself", new JournalLoad("GroupCommit", JournalWay.TaskEach, Producers: 4, Depth: 64),
            "group"),
    ];

    public string Name => "journal";

    public string Summary => "a durable journal, 256 B: Always and Group beside C, SQLite and redis";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using var bench = new JournalBench(options);
        return [.. s_cases.Where(c => !options.Quick || c.Judged)
            .SelectMany(c => JournalRows.Of(options, Name, c, bench, bench.Run(c, options.Rounds)))];
    }
}
