using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Tests.Packets;

/// <summary>The values of <c>golden/values.bin</c>: each kind at the limits where its encoding changes.</summary>
internal static class TreeSamples
{
    private const string Face = "\ud83d\ude00";

    public static IReadOnlyList<object?> All { get; } =
    [
        null, false, true, 0L, 127L, 128L, 255L, 256L, 65535L, 65536L, 4294967295L, 4294967296L, 1UL << 63, ulong.MaxValue,
        -1L, -32L, -33L, -128L, -129L, -32768L, -32769L, -2147483648L, -2147483649L, long.MinValue, 1.5, -0.0, double.PositiveInfinity,
        string.Empty, new string('x', 31), new string('x', 32), new string('x', 255), new string('x', 256),
        new string('é', 16), new string('é', 128), string.Concat(Enumerable.Repeat(Face, 8)),
        Array.Empty<byte>(), Enumerable.Repeat((byte)0xff, 255).ToArray(), Enumerable.Repeat((byte)0xff, 256).ToArray(),
        Array.Empty<object?>(), Numbers(15), Numbers(16),
        new List<KeyValuePair<object, object?>>(), Enumerable.Range(0, 16).Select(i => Pair($"k{i}", (long)i)).ToList(),
        new List<KeyValuePair<object, object?>> { Pair(1L, "a"), Pair(-1L, "b") },
        new Ext(1, [7]), new Ext(1, [1, 2]), new Ext(127, [(byte)'a', (byte)'b', (byte)'c']), new Ext(2, new byte[16]),
        Time(0), Time(1L << 32), Time(1).AddTicks(1), Time(1L << 34), Time(0).AddTicks(-1),
    ];

    private static object?[] Numbers(int count) => Enumerable.Range(0, count).Select(i => (object?)(long)i).ToArray();

    private static KeyValuePair<object, object?> Pair(object key, object? value) => new(key, value);

    private static DateTimeOffset Time(long seconds) => new DateTimeOffset(1970, 1, 1, 0, 0, 0, TimeSpan.Zero).AddSeconds(seconds);
}
