using System;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>A caller's memory, which is the caller's again when this is completed. It is not charged, because its caller waits.</summary>
/// <param name="bytes">The memory.</param>
internal sealed class LentMemory(ReadOnlyMemory<byte> bytes)
    : TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>Gets the memory.</summary>
    public ReadOnlyMemory<byte> Bytes { get; } = bytes;
}
