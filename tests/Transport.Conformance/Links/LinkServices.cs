using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Calls of an interface that travel as requests, by the client and the routing that the generator writes.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkServices(string wire)
{
    [Test]
    public async Task A_call_is_answered_by_the_object_at_the_other_end()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var depot = new Depot();
        rig.Main.Start(new PacketRouter().OnDepot(depot));
        rig.Worker.Start(new PacketRouter());
        IDepot client = new DepotClient(rig.Worker);
        await client.PutAsync(new Part("bolt", 3)).Within("a call without a result");
        Assert.That(await client.GetAsync("bolt").Within("a call"), Is.EqualTo(new Part("bolt", 3)));
        Assert.That(await client.GetAsync("nut").Within("a call"), Is.Null);
        (string Name, int Count)[] all = [.. await ReadAsync(client.ListAsync(["b", "n"], 2))];
        Assert.That(all, Is.EqualTo(new[] { ("b0", 0), ("b1", 1), ("n0", 0), ("n1", 1) }));
        Assert.That(await client.SumAsync(new Dictionary<string, int[]> { ["a"] = [1, 2], ["b"] = [3] }).Within("a call"), Is.EqualTo(6));
    }

    [Test]
    public async Task What_the_object_throws_fails_the_call_with_its_type_and_message()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter().OnDepot(new Depot()));
        rig.Worker.Start(new PacketRouter());
        var client = new DepotClient(rig.Worker);
        TransportException? failed = null;
        try
        {
            await client.GetAsync(string.Empty).Within("a failure");
        }
        catch (TransportException e)
        {
            failed = e;
        }

        Assert.That((failed?.Fault, failed?.Message),
            Is.EqualTo((TransportFault.RequestFailed, "The peer responded: System.ArgumentException: a part has a name")));
    }

    [Test]
    public async Task A_token_of_the_caller_reaches_the_object_and_a_time_limit_is_the_clients()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var depot = new Depot();
        rig.Main.Start(new PacketRouter().OnDepot(depot));
        rig.Worker.Start(new PacketRouter());
        var client = new DepotClient(rig.Worker);
        using var cancel = new CancellationTokenSource();
        Task waiting = client.WaitAsync(cancel.Token);
        await depot.Began.Task.Within("the call");
        cancel.Cancel();
        Assert.That(async () => await waiting.Within("the cancelled call"), Throws.InstanceOf<OperationCanceledException>());
        await depot.Stopped.Task.Within("the object's token");
        client.Timeout = TimeSpan.FromMilliseconds(1);
        TransportException? late = null;
        try
        {
            await client.WaitAsync(default).Within("the time limit");
        }
        catch (TransportException e)
        {
            late = e;
        }

        Assert.That(late?.Fault, Is.EqualTo(TransportFault.RequestTimeout));
    }

    [Test]
    public async Task Each_link_may_have_an_object_of_its_own()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var depots = new Dictionary<string, Depot>();
        rig.Main.Start(new PacketRouter().OnDepot(context => depots[context.Node] = new Depot()));
        rig.Worker.Start(new PacketRouter());
        await new DepotClient(rig.Worker).PutAsync(new Part("bolt", 1)).Within("a call");
        Assert.That(depots["w1"].Parts.Single().Name, Is.EqualTo("bolt"));
    }

    private static async Task<List<T>> ReadAsync<T>(IAsyncEnumerable<T> stream)
    {
        var read = new List<T>();
        await foreach (T item in stream)
        {
            read.Add(item);
        }

        return read;
    }

    private sealed class Depot : IDepot
    {
        public List<Part> Parts { get; } = [];

        public TaskCompletionSource<bool> Began { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource<bool> Stopped { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task PutAsync(Part part)
        {
            lock (Parts)
            {
                Parts.Add(part);
            }

            return Task.CompletedTask;
        }

        public Task<Part?> GetAsync(string name, CancellationToken cancellationToken = default)
        {
            if (name.Length == 0)
            {
                throw new ArgumentException("a part has a name");
            }

            lock (Parts)
            {
                return Task.FromResult<Part?>(Parts.SingleOrDefault(p => p.Name == name));
            }
        }

        public async IAsyncEnumerable<(string Name, int Count)> ListAsync(
            IReadOnlyList<string> prefixes, int each, [EnumeratorCancellation] CancellationToken token = default)
        {
            foreach (string prefix in prefixes)
            {
                for (int i = 0; i < each; i++)
                {
                    await Task.Yield();
                    token.ThrowIfCancellationRequested();
                    yield return ($"{prefix}{i}", i);
                }
            }
        }

        public Task<long> SumAsync(Dictionary<string, int[]> numbers) => Task.FromResult(numbers.Values.Sum(n => (long)n.Sum()));

        public async Task WaitAsync(CancellationToken stop)
        {
            Began.TrySetResult(true);
            try
            {
                await Task.Delay(Timeout.Infinite, stop);
            }
            finally
            {
                Stopped.TrySetResult(true);
            }
        }
    }
}

/// <summary>A service.</summary>
[Service(3000)]
internal partial interface IDepot
{
    /// <summary>A call without a result.</summary>
    Task PutAsync(Part part);

    /// <summary>A call whose result may be null.</summary>
    Task<Part?> GetAsync(string name, CancellationToken cancellationToken = default);

    /// <summary>A stream of tuples.</summary>
    IAsyncEnumerable<(string Name, int Count)> ListAsync(IReadOnlyList<string> prefixes, int each, CancellationToken token = default);

    /// <summary>A call with a map.</summary>
    Task<long> SumAsync(Dictionary<string, int[]> numbers);

    /// <summary>A call that lasts until it is cancelled.</summary>
    Task WaitAsync(CancellationToken stop);
}

/// <summary>A value.</summary>
[PacketObject]
internal sealed partial record Part(string Name, int Count);
