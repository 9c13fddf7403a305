using System;
using Mono.Unix.Native;

namespace Transport.Journal;

/// <summary>
/// Positioned reads and writes whose offsets have 64 bits in a 32-bit process too. There the C library's own pread and pwrite take as many
/// bits as it was built for.
/// </summary>
internal static unsafe class NarrowCalls
{
    public static long Read(int file, Span<byte> into, long offset, out Errno error)
    {
        fixed (byte* at = into)
        {
            long count = Syscall.pread(file, at, (ulong)into.Length, offset);
            error = count >= 0 ? 0 : Stdlib.GetLastError();
            return count;
        }
    }

    public static long Write(int file, ReadOnlySpan<byte> bytes, long offset, out StoreError error)
    {
        fixed (byte* at = bytes)
        {
            long count = Syscall.pwrite(file, at, (ulong)bytes.Length, offset);
            error = count >= 0 ? StoreError.None : StoreErrors.Of(Stdlib.GetLastError());
            error = count < 0 && error == StoreError.None ? StoreError.Broken : error;   // a failed call is a failure, whatever errno says
            return count;
        }
    }
}
