using System;
using Transport;

namespace BuildHarness.Packets;

/// <summary>Worker to main node: a file of a project's outputs; its bytes follow, then its <see cref="OutputFileEnd"/>.</summary>
/// <param name="Project">The project's id in the collection.</param>
/// <param name="Path">The path in the project's output folder, with '/' between names.</param>
/// <param name="Mode">The Unix permissions, or -1 if there are none.</param>
/// <param name="Seconds">When it was changed: seconds since 1970, UTC.</param>
/// <param name="Nanoseconds">And nanoseconds, 0 to 999,999,999.</param>
[Packet(521, Lane = Lane.Bulk)]
internal sealed partial record OutputFileBegin(int Project, string Path, int Mode, long Seconds, int Nanoseconds);

/// <summary>Worker to main node: the next bytes of the file that was begun; at most 61,440.</summary>
/// <param name="Bytes">The bytes; the sender's own again once they are queued.</param>
[Packet(522, Lane = Lane.Bulk)]
internal sealed partial record OutputFileBytes(ReadOnlyMemory<byte> Bytes);

/// <summary>Worker to main node: the file that was begun is complete.</summary>
/// <param name="Bytes">How many bytes it has.</param>
/// <param name="Sha256">Their SHA-256, 32 bytes.</param>
[Packet(523, Lane = Lane.Bulk)]
internal sealed partial record OutputFileEnd(long Bytes, ReadOnlyMemory<byte> Sha256);

/// <summary>Worker to main node: no more outputs of the project come.</summary>
/// <param name="Project">The project's id in the collection.</param>
/// <param name="Files">How many files came.</param>
/// <param name="Bytes">How many bytes they have.</param>
/// <param name="Error">Why they are not all of them, as a sentence's beginning ("a.dll cannot be read: …"), or null.</param>
[Packet(524, Lane = Lane.Bulk)]
internal sealed partial record OutputsEnd(int Project, long Files, long Bytes, string? Error);

/// <summary>Main node to worker, the answer to <see cref="OutputsEnd"/>: all was looked at, checked and handed to the writers. Only now may
/// the worker say that they were sent.</summary>
/// <param name="Project">The project's id in the collection.</param>
[Packet(526, Lane = Lane.Urgent)]
internal sealed partial record OutputsTaken(int Project);

/// <summary>Main node to worker: so many more bytes of outputs may be sent (PACKETS.md says what counts how much).</summary>
/// <param name="Bytes">How many, 1 or more.</param>
[Packet(525, Lane = Lane.Urgent)]
internal sealed partial record OutputCredit(int Bytes);
