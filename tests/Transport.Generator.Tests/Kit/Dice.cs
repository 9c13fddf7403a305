using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Transport.Generator.Tests.Kit;

/// <summary>Random values, the odd ones often.</summary>
internal sealed class Dice(int seed)
{
    private readonly Random _random = new(seed);
    private int _depth;

    public bool Flip() => _random.Next(2) == 0;

    public int Next(int end) => _random.Next(end);

    /// <summary>An integer of any length of bits, with sign.</summary>
    public long Long() => _random.Next(8) == 0 ? Pick(long.MinValue, long.MaxValue, -1L, 0L, -33L, 127L, 128L)
        : _random.NextInt64(long.MinValue, long.MaxValue) >> _random.Next(64);

    public double Double() => _random.Next(6) == 0 ? Pick(double.NaN, double.NegativeInfinity, -0.0, double.Epsilon)
        : BitConverter.Int64BitsToDouble(Long());

    public float Float() => _random.Next(6) == 0 ? Pick(float.NaN, float.PositiveInfinity, -0.0f, float.Epsilon)
        : (float)_random.NextDouble();

    public decimal Decimal() => _random.Next(6) == 0
        ? Pick(decimal.MinValue, decimal.MaxValue, 0.00m, -0.0000000000000000000000000001m, 12.50m)
        : new decimal((int)Long(), (int)Long(), (int)Long(), Flip(), (byte)_random.Next(29));

    public string Text()
    {
        var text = new StringBuilder();
        for (int i = _random.Next(_random.Next(10) == 0 ? 300 : 10); i > 0; i--)
        {
            text.Append(Pick("a", "\0", "é", "漢", "😀", "\n", "zzzz"));
        }

        return text.ToString();
    }

    public byte[] Blob()
    {
        byte[] bytes = new byte[_random.Next(_random.Next(20) == 0 ? 70_000 : 20)];
        _random.NextBytes(bytes);
        return bytes;
    }

    public DateTime Time() => new(_random.NextInt64(DateTime.MaxValue.Ticks), DateTimeKind.Utc);

    public DateTimeOffset Moment() => _random.Next(6) == 0
        ? Pick(DateTimeOffset.MinValue, DateTimeOffset.MaxValue, DateTimeOffset.UnixEpoch)
        : new DateTimeOffset(Time()).ToOffset(TimeSpan.FromMinutes(Pick(0, 60, -210)));

    public Guid Guid() => new(Enumerable.Range(0, 16).Select(_ => (byte)_random.Next(256)).ToArray());

    public T? Maybe<T>(Func<T> make)
        where T : struct => _random.Next(3) == 0 ? null : make();

    public T? MaybeRef<T>(Func<T> make)
        where T : class => _random.Next(3) == 0 ? null : make();

    public T[] Array<T>(Func<T> make)
    {
        // Long ones only outermost: an array of long arrays of long arrays has no end.
        var items = new T[_random.Next(_depth == 0 && _random.Next(20) == 0 ? 700 : 4)];
        _depth++;
        for (int i = 0; i < items.Length; i++)
        {
            items[i] = make();
        }

        _depth--;
        return items;
    }

    public List<T> List<T>(Func<T> make) => [.. Array(make)];

    public Dictionary<TKey, TValue> Map<TKey, TValue>(Func<TKey> key, Func<TValue> value)
        where TKey : notnull
    {
        var map = new Dictionary<TKey, TValue>();
        for (int i = _random.Next(5); i > 0; i--)
        {
            map[key()] = value();
        }

        return map;
    }

    public T Pick<T>(params T[] items) => items[_random.Next(items.Length)];
}
