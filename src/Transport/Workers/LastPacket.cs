using System;
using System.Globalization;

namespace Transport;

/// <summary>One of the last packets that came from a worker. Immutable.</summary>
/// <param name="Type">The packet type: its <see cref="PacketType.Id"/>, or a number of the link's own packets.</param>
/// <param name="Name">Its name, if the main node's router or registry knows it, or it is one of the link's own; else <c>type
/// N</c>.</param>
/// <param name="Lane">The lane it came in.</param>
/// <param name="Bytes">The bytes of its body, as they came over the wire.</param>
/// <param name="BeforeEnd">How long before the end of the process it was read; zero if it was read after it. Packets read at once have
/// one time.</param>
public sealed record LastPacket(ushort Type, string Name, Lane Lane, int Bytes, TimeSpan BeforeEnd)
{
    /// <summary>Says it in one line for a person.</summary>
    /// <returns>For example <c>-12 ms BuildEvent (512), normal, 243 B</c>.</returns>
    public override string ToString() =>
        string.Format(CultureInfo.InvariantCulture, "-{0:0} ms {1}, {2} B", BeforeEnd.TotalMilliseconds, Kind, Bytes);

    /// <summary>Gets name, number and lane.</summary>
    internal string Kind => string.Format(CultureInfo.InvariantCulture, Name == $"type {Type}" ? "{0}, {2}" : "{0} ({1}), {2}", Name, Type,
        Lane.ToString().ToLowerInvariant());
}
