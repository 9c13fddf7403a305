using System;
using System.Diagnostics;

namespace Transport.Journal;

/// <summary>
/// Commits that are under way, in the order of their positions: they become durable in any order, and count as committed in this one, so
/// that completion of n implies completion of all before n.
/// After the first one that failed nothing more is.
/// </summary>
internal sealed class Flight(IBlockWriter device) : IDisposable
{
    private readonly (long Position, long Began, bool IsOver)[] _commits = new (long, long, bool)[device.Count];
    private int _first;
    private int _count;
    private bool _hasExited;

    /// <summary>Gets the position up to which all is durable.</summary>
    public long Done { get; private set; }

    /// <summary>Gets why one could not be made durable.</summary>
    public StoreError Error { get; private set; }

    /// <summary>Gets or sets who hears how long each commit took, in ticks of the stopwatch.</summary>
    public Action<long>? Timed { get; set; }

    /// <summary>Gets a value indicating whether nothing is under way, or the device can no longer report what is.</summary>
    public bool IsEmpty => _count == 0 || _hasExited;

    public bool IsFull => _count == _commits.Length;

    /// <summary>Goes on in another file; nothing is under way.</summary>
    /// <param name="name">The file.</param>
    /// <param name="done">The position up to which all is durable.</param>
    public void Use(string name, long done)
    {
        Done = Math.Max(Done, done);
        device.Use(name);
    }

    /// <summary>Sends records and what fills their last block; waits for a buffer if all are under way.</summary>
    /// <param name="records">The records.</param>
    /// <param name="fill">The rest, up to a multiple of a block.</param>
    /// <param name="offset">Where they belong, a multiple of a block.</param>
    /// <param name="position">The position that is durable with them.</param>
    /// <remarks>If <see cref="Error"/> is set afterwards, not all of it was sent.</remarks>
    public void Send(ReadOnlySpan<byte> records, ReadOnlySpan<byte> fill, long offset, long position)
    {
        while (records.Length + fill.Length > 0 && Error == StoreError.None)
        {
            while (IsFull && Error == StoreError.None)
            {
                _ = Wait();
            }

            if (Error != StoreError.None)
            {
                return;   // with one failed the next buffer may still be under way
            }

            int index = (_first + _count) % _commits.Length;
            Span<byte> buffer = device.Buffer(index);
            int head = Take(ref records, buffer), tail = Take(ref fill, buffer.Slice(head));
            _commits[index] = (records.Length + fill.Length == 0 ? position : 0, Stopwatch.GetTimestamp(), false);
            _count++;
            StoreError error = device.Begin(index, offset, head + tail);
            offset += head + tail;
            if (error != StoreError.None)
            {
                _count--;
                Fail(error);
            }
        }
    }

    /// <summary>Waits for one that is under way.</summary>
    /// <returns>False if somebody woke this instead.</returns>
    public bool Wait()
    {
        int index;
        StoreError error;
        try
        {
            if (!device.Wait(out index, out error))
            {
                return false;
            }
        }
        catch (StoreException)
        {
            // Nobody may wait for the rest: it would never come.
            _hasExited = true;
            Fail(StoreError.Broken);
            throw;
        }

        _commits[index].IsOver = true;
        if (error != StoreError.None)
        {
            Fail(error);
        }

        while (_count > 0 && _commits[_first].IsOver)
        {
            (long position, long began, _) = _commits[_first];
            if (position > 0)
            {
                Timed?.Invoke(Stopwatch.GetTimestamp() - began);
                Done = Error == StoreError.None ? Math.Max(Done, position) : Done;
            }

            _first = (_first + 1) % _commits.Length;
            _count--;
        }

        return true;
    }

    public void Wake() => device.Wake();

    public void Dispose()
    {
        try
        {
            while (!IsEmpty)
            {
                _ = Wait();   // what is under way still reads its buffer
            }
        }
        catch (StoreException)
        {
            // The device failed.
        }

        device.Dispose();
    }

    private static int Take(ref ReadOnlySpan<byte> from, Span<byte> to)
    {
        int count = Math.Min(from.Length, to.Length);
        from.Slice(0, count).CopyTo(to);
        ByteMoves.Note("3 record: copied into a block of the ring", count, count);
        from = from.Slice(count);
        return count;
    }

    private void Fail(StoreError error) => Error = Error == StoreError.None ? error : Error;
}
