using System.IO;
using System.Threading.Tasks;
using System.Threading;
using System;

namespace Transport;

/// <summary>What the receive loop reports to its link. Calls come from the loop, one at a time, if nothing else is said.</summary>
internal interface IReceiveSink
{
    /// <summary>A control packet came; its fields are those its type needs, valid during the call.</summary>
    void OnControl(ushort type, FieldReader fields);

    /// <summary>Request, Answer or Cancel came.</summary>
    /// <param name="type">Which.</param>
    /// <param name="lane">The lane it came in.</param>
    /// <param name="body">Its body, on loan during the call.</param>
    void OnRequestPacket(ushort type, Lane lane, ReadOnlyMemory<byte> body);

    /// <summary>The peer should be notified of how many packets are handled: 4,096 packets or 1 MiB since the last time, no more input, or
    /// it asks. If packets are kept, from any thread: they are safe.</summary>
    void OnAckDue(long handled);

    /// <summary>The stream has ended.</summary>
    /// <param name="inside">Whether inside a frame or a packet.</param>
    /// <param name="broken">How the wire broke; null at an orderly end.</param>
    /// <returns>Whether the peer's tail is to be replayed now (<see cref="ReceivePump.Run"/>).</returns>
    bool OnEndOfStream(bool inside, IOException? broken);

    /// <summary>Nothing more will be acknowledged, because what was handled cannot be made safe. From any thread.</summary>
    void OnStoreFailed(Exception cause);
}

/// <summary>What the peer has put into this side's tables, lane by lane. On the receive thread.</summary>
internal interface IReceiveTables
{
    /// <summary>Checks a packet's body.</summary>
    /// <returns>The body with the tables that its references are to; null if it has none.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is not one valid value, or refers to what was
    /// never set.</exception>
    LentBody? Check(in RawPacket packet);

    /// <summary>Lets a reader of the packet follow references, and find out if one leads nowhere.</summary>
    /// <returns>The body with its lane's tables; null if it can have no references.</returns>
    LentBody? Attach(in RawPacket packet);

    /// <summary>Takes one of the tables' own packets; checked.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: another shape, more than a table may hold, or not
    /// agreed on.</exception>
    void Take(in RawPacket packet);

    /// <summary>Forgets all of them: the link is over.</summary>
    void Clear();
}

/// <summary>Stands between "dispatched" and "acknowledged" if packets are stored, or read by loops: a number passes once everything up to
/// it is safe. Safe from any thread.</summary>
internal interface IAckGate
{
    /// <summary>Gets how many packets are handled and safe.</summary>
    long Safe { get; }

    /// <summary>Asks for so many packets, which are handled and were given to the store before.</summary>
    void Ask(long handled);

    /// <summary>Asks for so many packets, and waits for them.</summary>
    /// <returns>Whether they are safe; false: the store failed.</returns>
    Task<bool> SettleAsync(long handled);
}

/// <summary>What goes on if the stream of an exited peer has ended early: packets that the peer had not written any more.</summary>
internal interface IReplay
{
    /// <summary>Gives the pump what is left, by <see cref="ReceivePump.Replay"/>. Once, on the receive thread; may wait for the peer's
    /// end.</summary>
    void Run(ReceivePump pump);
}

/// <summary>Takes what a handler of requests sends before its response. One call at a time.</summary>
internal interface IItemOutput
{
    /// <summary>Sends an item once the caller has granted credit for it and the link has capacity.</summary>
    /// <exception cref="System.OperationCanceledException">The token was cancelled, or the link takes nothing more.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    ValueTask SendAsync<T>(PacketType<T> type, T item, CancellationToken cancellationToken);
}
