using System;
using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Packets;
using BuildHarness.Scheduling;
using Transport;

namespace BuildHarness.Building;

/// <summary>One worker process of this machine. Safe from any thread.</summary>
/// <param name="id">The main node's name for it.</param>
internal sealed class FleetNode(string id) : BuildNode(id)
{
    /// <summary>The work of a replay, which has no request.</summary>
    public const int Recording = -1;

    private readonly ConcurrentDictionary<int, byte> _given = new();
    private volatile WorkerProcess _worker = null!;
    private volatile Link? _link;
    private long _events;
    private long _leftOut;   // by Volatile: written by the link's receive loop alone

    /// <inheritdoc/>
    public override string Where => Id;

    /// <inheritdoc/>
    public override string? Activity
    {
        set => _worker.CurrentActivity = value;
    }

    public WorkerProcess Worker
    {
        get => _worker;
        set => _worker = value;
    }

    /// <summary>Gets what stood still on its link.</summary>
    public StallLog Stalls { get; } = new(id);

    /// <summary>Gets or sets the link, or null before there is one.</summary>
    public Link? Link
    {
        get => _link;
        set => _link = value;
    }

    public long Events => Interlocked.Read(ref _events);

    /// <summary>Gets or sets how many events it had not sent by its last result because nobody takes them.</summary>
    public long LeftOut
    {
        get => Volatile.Read(ref _leftOut);
        set => Volatile.Write(ref _leftOut, value);
    }

    public void CountEvent() => Interlocked.Increment(ref _events);

    /// <inheritdoc/>
    public override void Give(ScheduledRequest request)
    {
        Begin(request.Id);
        Send(BuildProject.PacketType, request.ToPacket());
    }

    /// <inheritdoc/>
    public override void Send<T>(PacketType<T> type, T packet) => _ = SendAsync(type, packet);

    /// <summary>Notes what it is given; before it is sent.</summary>
    /// <param name="work">The request's id, or <see cref="Recording"/>.</param>
    public void Begin(int work) => _given[work] = 0;

    /// <summary>
    /// Takes the worker's word that it is done, if this is what it was given. For a handler of its link, which ends if this throws.
    /// </summary>
    /// <exception cref="HarnessException">It was not given this, or has said so before.</exception>
    public void Finish(int work)
    {
        if (!_given.TryRemove(work, out _))
        {
            throw new HarnessException($"{Id} reports {Name(work)} as done, but it was not given it");
        }
    }

    /// <summary>Takes the worker's word of something that it is on; likewise.</summary>
    /// <exception cref="HarnessException">It is not on this.</exception>
    public void Expect(int work)
    {
        if (!_given.ContainsKey(work))
        {
            throw new HarnessException($"{Id} tells of {Name(work)}, but it was not given it");
        }
    }

    /// <summary>If there is no capacity it goes once there is. What cannot be sent at all would leave the worker waiting for
    /// ever.</summary>
    private async Task SendAsync<T>(PacketType<T> type, T packet)
    {
        try
        {
            _ = await Link!.SendAsync(type, packet).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransportException or ArgumentException)
        {
            Worker.Kill($"{typeof(T).Name} could not be sent to it: {e.Message}");
        }
    }

    private static string Name(int work) =>
        work == Recording ? "a recording" : FormattableString.Invariant($"request {work}");
}
