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
    /// <summary>Wakes the loop, so that it looks whether more can come.</summary>
    public abstract void Wake();
}

/// <summary>Keeps packets of one type, of all links of a router, until the program's loop takes them.</summary>
/// <remarks>
/// <para>Receive threads write, each in the order of its link; one loop reads. A packet is handled when the loop takes the next one, or is
/// left: until then it is one of its link's <see cref="UnreadPackets"/>.</para>
/// <para>Who leaves the loop completes the channel first and empties it then. A receive thread that was about to write is refused, and counts
/// its packet itself: each packet is counted by one of the two.</para>
/// </remarks>
/// <param name="type">The packets' type.</param>
/// <param name="capacity">How many packets it keeps.</param>
/// <param name="uses">Whether more can come.</param>
internal sealed class PacketLoop<T>(PacketType<T> type, int capacity, RouterUses uses) : PacketLoop
{
    // Null wakes the loop: nothing else does when its last link ends.
    private readonly Channel<Entry?> _packets = Channel.CreateBounded<Entry?>(new BoundedChannelOptions(capacity) { SingleReader = true });
    private int _isTaken;           // by the first loop, and never again
    private int _isWoken;           // 1 while a null stands in the channel: written by who wakes, cleared by the loop that reads it
    private volatile bool _isLeft;  // set once, before the channel is completed; a receive thread that misses it is refused by the channel

    /// <inheritdoc/>
    public override string Name => type.ToString();

    /// <inheritdoc/>
    public override bool IsAsync => false;

    /// <inheritdoc/>
    public override bool ChecksBody { get; } = type.ValidatesBody;

    /// <inheritdoc/>
    public override ValueTask HandleAsync(RawPacket packet)
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
    public override ValueTask HandleToEndAsync(RawPacket packet)
    {
        UnreadPackets unread = packet.Context.Receiving!.Unread!;
        var done = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        return FinishAsync(new Entry(Read(type, packet), packet.Context, unread, unread.Add(this), done), done.Task);
    }

    /// <inheritdoc/>
    public override void Wake()
    {
        // No capacity: then the loop has packets, and looks once more behind the last of them.
        if (Interlocked.Exchange(ref _isWoken, 1) == 0 && !_packets.Writer.TryWrite(null))
        {
            Volatile.Write(ref _isWoken, 0);
        }
    }

    /// <summary>The loop.</summary>
    /// <exception cref="InvalidOperationException">It was begun before.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public async IAsyncEnumerable<(T Packet, PacketContext Context)> ReadAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isTaken, 1) != 0)
        {
            throw new InvalidOperationException(
                $"The packets of {Name} are read by another loop already, or were: what PacketRouter.ReadAllAsync returns is good for one.");
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
                    if (next is null)
                    {
                        Volatile.Write(ref _isWoken, 0);   // before the uses are asked: who leaves behind that wakes again
                        continue;
                    }

                    current = next;
                    yield return (next.Value, next.Context);
                    current = null;
                    next.Done(isMissed: false);
                }
                else if (isEnding)
                {
                    yield break;
                }
                else if (!(isEnding = uses.TryEnd()))   // once it is true nothing more is written, so one more look at the channel is enough
                {
                    await _packets.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false);
                }
            }
        }
        finally
        {
            current?.Done(isMissed: false);   // its body was left: by break, or by what it threw
            Leave();
        }
    }

    private async ValueTask FinishAsync(Entry entry, Task done)
    {
        await WriteAsync(entry, CancellationToken.None).ConfigureAwait(false);
        entry.Unread.IsAwaited = true;
        await done.ConfigureAwait(false);
        entry.Unread.IsAwaited = false;
    }

    private async ValueTask WriteAsync(Entry entry, CancellationToken cut)
    {
        entry.Unread.IsAwaited = true;
        try
        {
            await _packets.Writer.WriteAsync(entry, cut).ConfigureAwait(false);
        }
        catch (ChannelClosedException)
        {
            entry.Done(isMissed: true);
        }
        catch (OperationCanceledException)
        {
            // The link is cut: the packet stays one that no loop has taken, and nothing comes after it.
        }
        finally
        {
            entry.Unread.IsAwaited = false;
        }
    }

    private void Leave()
    {
        _isLeft = true;
        _packets.Writer.TryComplete();
        while (_packets.Reader.TryRead(out Entry? entry))
        {
            entry?.Done(isMissed: true);
        }
    }

    private sealed class Entry(
        T value, PacketContext context, UnreadPackets unread, LoopShare share, TaskCompletionSource<bool>? done)
    {
        public T Value { get; } = value;

        public PacketContext Context { get; } = context;

        public UnreadPackets Unread { get; } = unread;

        public void Done(bool isMissed)
        {
            Unread.Done(share, isMissed);
            done?.TrySetResult(true);
        }
    }
}
