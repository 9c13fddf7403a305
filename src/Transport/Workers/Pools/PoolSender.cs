using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Sends the packets of a pool, each to the worker whose turn it is. A worker whose link is closing has not taken its packet, so
/// another one gets it.</summary>
internal sealed class PoolSender(IPoolLine pool, TimeProvider clock) : IPacketSender
{
    public LevelRules Levels { get; } = new(PacketLevel.Trace);

    public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null)
    {
        Check(type, packet, lane);
        bool isOver;
        while (pool.Next(out isOver) is { } member)
        {
            if (Took(member, member.Link.TrySend(type, packet, lane, policy)) is { } result)
            {
                return result;
            }
        }

        return isOver ? SendResult.Closed : SendResult.Full;
    }

    public SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal)
    {
        CheckRaw(type, body, lane);
        bool isOver;
        while (pool.Next(out isOver) is { } member)
        {
            if (Took(member, member.Link.TrySendRaw(type, body, lane)) is { } result)
            {
                return result;
            }
        }

        return isOver ? SendResult.Closed : SendResult.Full;
    }

    public async ValueTask<SendResult> SendAsync<T>(
        PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default)
    {
        Check(type, packet, lane);
        while (await pool.NextAsync(cancellationToken).ConfigureAwait(false) is { } member)
        {
            if (Took(member, await member.Link.SendAsync(type, packet, lane, cancellationToken).ConfigureAwait(false)) is { } result)
            {
                return result;
            }
        }

        return SendResult.Closed;
    }

    public async ValueTask<SendResult> SendRawAsync(
        ushort type, ReadOnlyMemory<byte> body, Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
    {
        CheckRaw(type, body.Span, lane);
        while (await pool.NextAsync(cancellationToken).ConfigureAwait(false) is { } member)
        {
            if (Took(member, await member.Link.SendRawAsync(type, body, lane, cancellationToken).ConfigureAwait(false)) is { } result)
            {
                return result;
            }
        }

        return SendResult.Closed;
    }

    public SendResult Send<T>(PacketType<T> type, T packet, TimeSpan timeout, Lane? lane = null)
    {
        Check(type, packet, lane);
        var deadline = new Deadline(clock, timeout);
        SendResult none;
        while (Wait(deadline, out none) is { } member)
        {
            if (Took(member, member.Link.Send(type, packet, deadline.Left, lane)) is { } result)
            {
                return result;
            }
        }

        return none;
    }

    public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, TimeSpan timeout, Lane lane = Lane.Normal)
    {
        CheckRaw(type, body, lane);
        var deadline = new Deadline(clock, timeout);
        SendResult none;
        while (Wait(deadline, out none) is { } member)
        {
            if (Took(member, member.Link.SendRaw(type, body, deadline.Left, lane)) is { } result)
            {
                return result;
            }
        }

        return none;
    }

    /// <summary>Refuses, whether there is a worker or not, what no link would take.</summary>
    private static void Check<T>(PacketType<T> type, T packet, Lane? lane)
    {
        _ = ArgumentGuard.NotNull(packet, nameof(packet));
        _ = LinkSender.Choose(lane, ArgumentGuard.NotNull(type, nameof(type)).Lane);
    }

    private static void CheckRaw(ushort type, ReadOnlySpan<byte> body, Lane lane)
    {
        PacketType.CheckRaw(type, body);
        _ = LinkSender.Choose(lane, lane);
    }

    /// <returns>Null: its link is closing, and another worker may take the packet.</returns>
    private SendResult? Took(PoolMember member, SendResult result)
    {
        if (result != SendResult.Closed)
        {
            return result;
        }

        pool.Leave(member);
        return null;
    }

    /// <summary>Waits for a worker, blocking this thread; at most 24 days, the most that a wait may last.</summary>
    /// <param name="deadline">Until then.</param>
    /// <param name="none">What a send is answered if there is none: Closed if there will be none, else Full.</param>
    private PoolMember? Wait(Deadline deadline, out SendResult none)
    {
        using var late = new CancellationTokenSource();
        Task<PoolMember?> next = pool.NextAsync(late.Token);
        TimeSpan limit = Least(deadline.Left, TimeSpan.FromMilliseconds(int.MaxValue));
        if (next.IsCompleted || ((IAsyncResult)next).AsyncWaitHandle.WaitOne(limit))
        {
            none = SendResult.Closed;
            return next.GetAwaiter().GetResult();
        }

        late.Cancel();
        none = SendResult.Full;
        return null;
    }

    private static TimeSpan Least(TimeSpan one, TimeSpan other) => one < other ? one : other;
}
