using System;
using System.IO;

namespace Transport.Tests.Receiving;

/// <summary>Hears what a receive loop reports to its link, and does nothing about it.</summary>
internal sealed class DeafSink : IReceiveSink
{
    /// <summary>Gets a value indicating whether the end of the stream is answered with a replay.</summary>
    public bool Replays { get; init; }

    public void OnControl(ushort type, FieldReader fields)
    {
    }

    public void OnRequestPacket(ushort type, Lane lane, ReadOnlyMemory<byte> body)
    {
    }

    public void OnAckDue(long handled)
    {
    }

    public bool OnEndOfStream(bool inside, IOException? broken) => Replays;

    public void OnStoreFailed(Exception cause)
    {
    }
}
