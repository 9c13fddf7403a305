using System.Globalization;
using Transport.Loads.Collects;

namespace Transport.Loads.Workers;

/// <summary>The main node of scenario <c>collect</c> in a process of its own, with a worker beside it. Orders: <c>alone N</c> and
/// <c>collect</c>, which answer a <see cref="CollectRound"/>; <c>held</c>: bytes; <c>publish</c>.</summary>
internal sealed class CollectMainJob(string place, string folder) : IJob
{
    private readonly CollectBench _bench = new(place, folder);

    /// <summary>Gets this program as a main node has it: what the build harness asks of the runtime (its project and
    /// runtimeconfig.template.json). Numbers are hexadecimal.</summary>
    public static WorkerKind Kind => WorkerKind.Net
        .With("DOTNET_gcConcurrent", "0")
        .With("DOTNET_GCGen0MaxBudget", "600000")
        .With("DOTNET_TieredPGO", "0")
        .With("DOTNET_TC_CallCountingDelayMs", "BB8");

    public string Run(string[] order)
    {
        switch (order[0])
        {
            case "alone":
                return _bench.Alone(int.Parse(order[1], CultureInfo.InvariantCulture)).ToString();
            case "collect":
                return _bench.Collect().ToString();
            case "held":
                return _bench.Held().ToString(CultureInfo.InvariantCulture);
            default:
                _bench.Publish();
                return string.Empty;
        }
    }

    public void Dispose() => _bench.Dispose();
}
