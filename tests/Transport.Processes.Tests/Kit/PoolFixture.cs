using System;
using System.Collections.Concurrent;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Kit;

/// <summary>A main node for each test, and pools of workers that answer.</summary>
public abstract class PoolFixture
{
    /// <summary>A request that is answered at once.</summary>
    protected const int Now = 0;

    private protected MainRig Rig { get; private set; } = null!;

    /// <summary>Gets the exit reports of the test's pools.</summary>
    protected ConcurrentQueue<WorkerExit> Exits { get; private set; } = new();

    [SetUp]
    public void Begin()
    {
        Rig = new MainRig();
        Exits = new ConcurrentQueue<WorkerExit>();
    }

    [TearDown]
    public async Task End() => await Rig.DisposeAsync();

    /// <summary>Asks; a number above 0 is answered when it comes as a packet.</summary>
    protected static Task<int> AskAsync(WorkerPool pool, int number, TimeSpan? timeout = null) =>
        pool.RequestAsync(NumberPacket.Type, NumberPacket.Type, number, timeout).Within($"the answer to {number}");

    protected WorkerPool Start(int size, Action<WorkerPoolOptions>? change = null)
    {
        var options = new WorkerPoolOptions { Size = size, MinBackoff = TimeSpan.FromMilliseconds(1), OnExited = Exits.Enqueue };
        change?.Invoke(options);
        return Rig.Main.StartPool(TestHost.Start("worker-answer"), options);
    }
}
