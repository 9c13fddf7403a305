using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Trees;

namespace Transport.Loads.Scenarios;

/// <summary>All scenarios, in the order in which <c>all</c> runs them.</summary>
internal static class ScenarioList
{
    public static readonly IReadOnlyList<IScenario> All =
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
        new CodecScenario(),
        new BinlogScenario(),
        new MonoScenario(),
        new JournalScenario(),
        new JournalBesideScenario(),
        new JournalSecondScenario(),
        new JournalSizesScenario(),
        new JournalRecoveryScenario(),
        new JournalSpillScenario(),
        new FilesScenario("files", TreePlace.InMemory),
        new FilesScenario("files-disk", TreePlace.OnDisk),
        new FilesSizesScenario(),
        new FilesExtractScenario("extract", TreePlace.InMemory, ExtractCase.Tar),
        new FilesExtractScenario("extract-disk", TreePlace.OnDisk, ExtractCase.Tar),
        new FilesExtractScenario("extract-zip", TreePlace.InMemory, ExtractCase.Zip),
        new FilesExtractScenario("extract-zip-disk", TreePlace.OnDisk, ExtractCase.Zip),
        new CollectScenario(),
    ];

    public static IScenario? Find(string name) => All.FirstOrDefault(s => s.Name == name);
}
