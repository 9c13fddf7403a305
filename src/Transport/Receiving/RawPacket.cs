using System;
using Transport.Packets;

namespace Transport.Receiving;

/// <summary>A packet's bytes on loan: valid until the handler has returned (an asynchronous one: until its task has completed). Copy what must live longer.</summary>
/// <param name="Type">The packet type.</param>
/// <param name="Lane">The lane it came in.</param>
/// <param name="Body">The whole body: one MessagePack value of at most <c>maxPacket</c> bytes. The link owns the memory.</param>
public readonly record struct RawPacket(ushort Type, Lane Lane, ReadOnlyMemory<byte> Body);
