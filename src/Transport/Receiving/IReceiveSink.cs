using System;
using System.IO;

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

    /// <summary>The peer should be notified of how many packets are handled: 1,024 packets or 1 MiB since the last time, or no more input.
    /// If packets are kept, from any thread: they are safe.</summary>
    void OnAckDue(long handled);

    /// <summary>The stream has ended.</summary>
    /// <param name="inside">Whether inside a frame or a packet.</param>
    /// <param name="broken">How the wire broke; null at an orderly end.</param>
    /// <returns>Whether the peer's tail is to be replayed now (<see cref="ReceivePump.Remainder"/>).</returns>
    bool OnEndOfStream(bool inside, IOException? broken);

    /// <summary>Nothing more will be acknowledged, because what was handled cannot be made safe. From any thread.</summary>
    void OnStoreFailed(Exception cause);
}
