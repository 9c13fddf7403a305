using System;
using Transport;

namespace BuildHarness.Packets;

/// <summary>Worker to main node: the next bytes of the file that was begun; at most 61,440.</summary>
/// <param name="Bytes">The bytes; the sender's own again once they are queued.</param>
[Packet(522, Lane = Lane.Bulk)]
internal sealed partial record OutputFileBytes(ReadOnlyMemory<byte> Bytes);
