using System;
using System.Diagnostics;
using System.Threading;

namespace Transport;

/// <summary>One direction of an in-memory wire: a bounded ring of bytes, one writer and one reader that both block.</summary>
/// <param name="capacity">How many bytes it holds.</param>
/// <param name="readable">Called, outside the lock, whenever a read may have something to say.</param>
internal sealed class MemoryChannel(int capacity, Action? readable = null)
{
    private readonly object _gate = new();
    private readonly byte[] _ring = new byte[capacity];
    private int _start;
    private int _length;
    private bool _isComplete;
    private bool _readerIsGone;
    private bool _readerAborted;
    private bool _writerAborted;

    public bool IsReadable
    {
        get
        {
            lock (_gate)
            {
                return _length > 0 || _isComplete || _readerAborted;
            }
        }
    }

    public int Read(byte[] buffer, int offset, int count, int patience)
    {
        long start = Stopwatch.GetTimestamp();
        lock (_gate)
        {
            while (_length == 0 && !_isComplete && !_readerAborted)
            {
                int waited = (int)((Stopwatch.GetTimestamp() - start) * 1000 / Stopwatch.Frequency);
                int left = patience < 0 ? Timeout.Infinite : patience - waited;
                if (left <= 0 && patience >= 0)
                {
                    return -1;
                }

                Monitor.Wait(_gate, left);
            }

            return _readerAborted ? throw WireBroken.Aborted() : _length > 0 ? TakeOut(buffer, offset, count) : 0;
        }
    }

    public void Write(byte[] buffer, int offset, int count)
    {
        while (count > 0)
        {
            int taken;
            lock (_gate)
            {
                while (_length == _ring.Length && !_readerIsGone && !_writerAborted)
                {
                    Monitor.Wait(_gate);
                }

                if (_writerAborted)
                {
                    throw WireBroken.Aborted();
                }

                if (_readerIsGone || _isComplete)
                {
                    throw WireBroken.PeerGone();
                }

                taken = PutIn(buffer, offset, count);
                Monitor.PulseAll(_gate);
            }

            offset += taken;
            count -= taken;
            readable?.Invoke();
        }
    }

    /// <summary>The writer is done: the reader gets what is there, then the end.</summary>
    public void Complete() => Change(() => _isComplete = true);

    /// <summary>The writing side ended without waiting: its blocked write fails, the reader gets what is there, then the end.</summary>
    public void AbortWriter() => Change(() => _isComplete = _writerAborted = true);

    /// <summary>The reading side ended without waiting: its blocked read fails, and so does every write.</summary>
    public void AbortReader() => Change(() =>
    {
        _readerIsGone = _readerAborted = true;
        _length = 0;
    });

    private void Change(Action change)
    {
        lock (_gate)
        {
            change();
            Monitor.PulseAll(_gate);
        }

        readable?.Invoke();
    }

    private int PutIn(byte[] buffer, int offset, int count)
    {
        int taken = Math.Min(count, _ring.Length - _length);
        int end = (_start + _length) % _ring.Length;
        int first = Math.Min(taken, _ring.Length - end);
        Buffer.BlockCopy(buffer, offset, _ring, end, first);
        Buffer.BlockCopy(buffer, offset + first, _ring, 0, taken - first);
        _length += taken;
        return taken;
    }

    private int TakeOut(byte[] buffer, int offset, int count)
    {
        int taken = Math.Min(count, _length);
        int first = Math.Min(taken, _ring.Length - _start);
        Buffer.BlockCopy(_ring, _start, buffer, offset, first);
        Buffer.BlockCopy(_ring, 0, buffer, offset + first, taken - first);
        _start = (_start + taken) % _ring.Length;
        _length -= taken;
        Monitor.PulseAll(_gate);
        return taken;
    }
}
