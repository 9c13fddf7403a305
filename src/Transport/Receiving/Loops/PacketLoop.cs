using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A handler that keeps packets for a loop of the program.</summary>
internal abstract class PacketLoop : PacketHandler
{
    private long _taken;   // raised by the loop alone; read by any thread: a count by itself

    /// <summary>Gets how many packets the loop has taken, of all links. Any thread.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Wakes the loop, so that it looks whether more can come.</summary>
    public abstract void Wake();

    /// <summary>Counts a packet that the loop has taken.</summary>
    protected void Took() => Volatile.Write(ref _taken, _taken + 1);
}

/// <summary>What has become of a packet in a loop.</summary>
internal enum LoopEnd
{
    /// <summary>The loop has taken the next one.</summary>
    Read,

    /// <summary>The loop was left in the packet's body.</summary>
    Left,

    /// <summary>The loop was left before it took the packet.</summary>
    Missed,

    /// <summary>The packet's link was cut before the loop took it.</summary>
    Cut,
}

/// <summary>Keeps packets of one type, of all links of a router, until the program's loop takes them.</summary>
/// <remarks>
/// <para>Receive threads write, each in the order of its link; one loop reads. A packet is handled when the loop takes the next one, or is
/// left: until then it is one of its link's <see cref="UnreadPackets"/>.</para>
/// <para>A link that is cut takes its packets with it: the loop steps over them, and the link's receipt counts them as unread.</para>
/// <para>Who leaves the loop completes the channel first and empties it then. A receive thread that was about to write is refused, and
/// counts its packet itself: each packet is counted by one of the two.</para>
/// </remarks>
/// <param name="type">The packets' type.</param>
/// <param name="capacity">How many packets it keeps.</param>
/// <param name="uses">Whether more can come.</param>
internal sealed class PacketLoop<T>(PacketType<T> type, int capacity, RouterUses uses) : PacketLoop
{
    // Null wakes the loop: nothing else does when its last link ends. It takes a place; there are as many as times in which the router's
    // last use ended while the loop was not at its end, and a full channel needs none.
    private readonly Channel<Entry?> _packets = Channel.CreateBounded<Entry?>(new BoundedChannelOptions(capacity) { SingleReader = true });
    private int _isTaken;           // by the first loop, and never again
    private volatile bool _isLeft;  // set once, before the channel is completed; a receive thread that misses it is refused by the channel

    /// <inheritdoc/>
    public override string Name => type.ToString();

    /// <inheritdoc/>
    public override bool IsAsync => false;

    /// <inheritdoc/>
    public override bool ChecksBody => type.ValidatesBody && !_isLeft;

    /// <inheritdoc/>
    public override ValueTask HandleAsync(in RawPacket packet)
    {
        UnreadPackets unread = packet.Context.Receiving!.Unread!;
        if (_isLeft)
        {
            unread.Miss(this);
            return default;
        }

        var entry = new Entry(Read(type, packet), packet.Context, unread, unread.Add(this), done: null);
        return _packets.Writer.TryWrite(entry) ? default : WriteAsync(entry, entry.Context.CancellationToken);
    }

    /// <inheritdoc/>
    public override ValueTask<bool> HandleToEndAsync(in RawPacket packet)
    {
        UnreadPackets unread = packet.Context.Receiving!.Unread!;
        var done = new TaskCompletionSource<LoopEnd>(TaskCreationOptions.RunContinuationsAsynchronously);
        return FinishAsync(new Entry(Read(type, packet), packet.Context, unread, unread.Add(this), done), done.Task);
    }

    /// <inheritdoc/>
    public override void Wake() => _packets.Writer.TryWrite(null);   // no capacity: then the loop has packets, and looks behind the last

    /// <summary>The loop.</summary>
    /// <param name="item">What its body gets of a packet.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="InvalidOperationException">It was begun before.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public async IAsyncEnumerable<TItem> ReadAsync<TItem>(
        Func<T, PacketContext, TItem> item, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isTaken, 1) != 0)
        {
            throw new InvalidOperationException(
                $"The packets of {Name} are read by another loop already, or were: what PacketRouter.ReadAllAsync returns is good for "
                + "one.");
        }

        Entry? current = null;
        bool isEnding = false;
        try
        {
            while (true)
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (_packets.Reader.TryRead(out Entry? next))
                {
                    if (next is null || !next.TryTake())
                    {
                        continue;
                    }

                    current = next;
                    Took();
                    yield return item(next.Value, next.Context);
                    current = null;
                    next.Done(LoopEnd.Read);
                }
                else if (isEnding)
                {
                    yield break;
                }
                else if (!(isEnding = uses.TryEnd()))
                {
                    // Once it is true nothing more is written, and one more look at the channel is enough.
                    await _packets.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false);
                }
            }
        }
        finally
        {
            current?.Done(LoopEnd.Left);   // by break, or by what its body threw
            Leave();
        }
    }

    private async ValueTask<bool> FinishAsync(Entry entry, Task<LoopEnd> done)
    {
        await WriteAsync(entry, entry.Context.CancellationToken).ConfigureAwait(false);
        entry.Unread.Awaited = this;
        _ = await Task.WhenAny(done, entry.Unread.Closed).ConfigureAwait(false);
        LoopEnd end = !done.IsCompleted && entry.TryAbandon() ? LoopEnd.Cut : await done.ConfigureAwait(false);
        entry.Unread.Awaited = null;
        return end switch
        {
            LoopEnd.Read => true,
            LoopEnd.Cut => false,
            _ => throw new TransportException(
                TransportFault.HandlerFailed,
                $"Packet {Name}: its loop (PacketRouter.ReadAllAsync) was left "
                    + (end == LoopEnd.Left ? "while it was at it" : "before it had read it"),
                null,
                HandlerCalls.Ending),
        };
    }

    private async ValueTask WriteAsync(Entry entry, CancellationToken cut)
    {
        entry.Unread.Awaited = this;
        try
        {
            await _packets.Writer.WriteAsync(entry, cut).ConfigureAwait(false);
        }
        catch (ChannelClosedException)
        {
            entry.Done(LoopEnd.Missed);
        }
        catch (OperationCanceledException)
        {
            // The link is cut: the packet stays one that no loop has taken, and nothing comes after it.
        }
        finally
        {
            entry.Unread.Awaited = null;
        }
    }

    private void Leave()
    {
        _isLeft = true;
        _packets.Writer.TryComplete();
        while (_packets.Reader.TryRead(out Entry? entry))
        {
            entry?.Done(LoopEnd.Missed);
        }
    }

    private sealed class Entry(
        T value, PacketContext context, UnreadPackets unread, LoopShare share, TaskCompletionSource<LoopEnd>? done)
    {
        private int _isTaken;   // by the loop, or by who gives it up: whoever comes first, by itself

        public T Value { get; } = value;

        public PacketContext Context { get; } = context;

        public UnreadPackets Unread { get; } = unread;

        /// <summary>Takes it for the loop's body; not if its link is cut, or who waits for its end has given it up.</summary>
        public bool TryTake()
        {
            if (Interlocked.Exchange(ref _isTaken, 1) != 0)
            {
                return false;
            }

            bool may = Unread.MayTake();
            if (!may)
            {
                done?.TrySetResult(LoopEnd.Cut);
            }

            return may;
        }

        /// <summary>Gives it up, unless the loop has it.</summary>
        public bool TryAbandon() => Interlocked.Exchange(ref _isTaken, 1) == 0;

        public void Done(LoopEnd end)
        {
            Unread.Done(share, isMissed: end == LoopEnd.Missed && done is null);   // a spilled packet that is missed fails
            done?.TrySetResult(end);
        }
    }
}
