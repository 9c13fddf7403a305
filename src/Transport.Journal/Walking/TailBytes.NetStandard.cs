using System;
using System.Runtime.InteropServices;

namespace Transport.Journal;

/// <content>Eight bytes at a time.</content>
internal static partial class TailBytes
{
    private static int FirstNotZero(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        int at = 0;
        while (at < words.Length && words[at] == 0)
        {
            at++;
        }

        for (int i = at * RecordHeader.Alignment; i < bytes.Length; i++)
        {
            if (bytes[i] != 0)
            {
                return i;
            }
        }

        return -1;
    }

    private static int SkipOthers(ReadOnlySpan<byte> bytes, int at, int end) => at;
}
