using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Trees;

namespace Transport.Loads.Scenarios;

/// <summary>All scenarios, in the order in which <c>all</c> runs them.</summary>
internal static class ScenarioList
{
    /// <summary>The word for all of them.</summary>
    public const string Everything = "all";

    public static readonly IReadOnlyList<ScenarioGroup> Groups =
    [
        new("links", "loads.md", "8 minutes",
        [
            new EventsScenario(),
            new BurstScenario(),
            new CallerScenario(),
            new LargeScenario(),
            new PingScenario(),
            new SlowReceiverScenario(),
            new FanInScenario(),
            new IdleLinksScenario(),
            new MixedScenario(),
            new RequestsScenario(),
            new CodecScenario(),
            new CountsScenario(),
            new BuffersScenario(),
            new BinlogScenario(),
            new MonoScenario(),
        ]),
        new("journals", "journal.md", "6 minutes",
        [
            new JournalScenario(),
            new JournalBesideScenario(),
            new JournalSecondScenario(),
            new JournalSizesScenario(),
            new JournalRecoveryScenario(),
            new JournalSpillScenario(),
            new DurableScenario(),
        ]),
        new("trees", "files.md", "15 minutes",
        [
            new FilesScenario("files", TreePlace.InMemory),
            new FilesScenario("files-disk", TreePlace.OnDisk),
            new FilesSizesScenario(),
            new FilesFarScenario(),
            new RemovalScenario(),
            new PackagesScenario(),
            new FilesExtractScenario("extract", TreePlace.InMemory, ExtractCase.Tar),
            new FilesExtractScenario("extract-disk", TreePlace.OnDisk, ExtractCase.Tar),
            new FilesExtractScenario("extract-zip", TreePlace.InMemory, ExtractCase.Zip),
            new FilesExtractScenario("extract-zip-disk", TreePlace.OnDisk, ExtractCase.Zip),
        ]),
        new("collect", "collect.md", "1 minute", [new CollectScenario()]),
        new("msbuild", "msbuild.md", "18 minutes", [new TaskHostScenario(), new RestoreGraphScenario()]),
        new("farm", "farm.md", "5 minutes", [new ShipScenario(), new AwayScenario(), new AskScenario()]),
    ];

    public static readonly IReadOnlyList<IScenario> All = [.. Groups.SelectMany(g => g.Scenarios)];

    /// <summary>Finds what a word stands for: one scenario, those of a group, or all.</summary>
    /// <returns>Null if it stands for nothing.</returns>
    public static IReadOnlyList<IScenario>? Find(string word) =>
        word == Everything ? All
        : Groups.FirstOrDefault(g => g.Name == word) is { } group ? group.Scenarios
        : All.FirstOrDefault(s => s.Name == word) is { } one ? [one]
        : null;
}
