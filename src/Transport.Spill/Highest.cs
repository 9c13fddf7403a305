using System;

namespace Transport.Spill;

/// <summary>The highest of the values it was given, from any thread: read in one piece, and never going back.</summary>
/// <typeparam name="T">The values; they may be too large to be written in one step.</typeparam>
internal sealed class Highest<T>(T first)
    where T : struct, IComparable<T>
{
    private readonly object _lock = new();
    private T _value = first;

    public T Value
    {
        get
        {
            lock (_lock)
            {
                return _value;
            }
        }
    }

    public void Raise(T value)
    {
        lock (_lock)
        {
            _value = value.CompareTo(_value) > 0 ? value : _value;
        }
    }
}
