using System;
using Transport;

namespace BuildHarness.Packets;

/// <summary>Worker to main node: the file that was begun is complete.</summary>
/// <param name="Bytes">How many bytes it has.</param>
/// <param name="Sha256">Their SHA-256, 32 bytes.</param>
[Packet(523, Lane = Lane.Bulk)]
internal sealed partial record OutputFileEnd(long Bytes, ReadOnlyMemory<byte> Sha256);
