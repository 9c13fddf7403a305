using System.Collections.Generic;
using System.Linq;

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
    ];

    public static IScenario? Find(string name) => All.FirstOrDefault(s => s.Name == name);
}
