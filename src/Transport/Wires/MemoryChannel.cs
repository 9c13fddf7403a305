using System;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace Transport;

/// <summary>One direction of an in-memory wire: a bounded ring of bytes, one writer that blocks, one reader that awaits. Once made it allocates nothing but what the thread pool takes to let a waiting reader go on.</summary>
internal sealed class MemoryChannel : IValueTaskSource<int>
{
    private readonly object _gate = new();
    private readonly byte[] _ring;
    private int _start;
    private int _length;
    private bool _completed;
    private bool _writerGone;
    private bool _readerGone;
    private bool _readerAborted;
    private bool _writerAborted;
    private byte[]? _pending;
    private int _pendingOffset;
    private int _pendingCount;

    // A reader goes on in a thread of its own: on the writer's it could wait for that very writer.
    private ManualResetValueTaskSourceCore<int> _read = new() { RunContinuationsAsynchronously = true };

    public MemoryChannel(int capacity) => _ring = new byte[capacity];

    public ValueTask<int> ReadAsync(byte[] buffer, int offset, int count)
    {
        lock (_gate)
        {
            if (_pending is not null)
            {
                throw new InvalidOperationException("A read is under way: one at a time.");
            }

            _read.Reset();
            if (_readerAborted)
            {
                _read.SetException(WireBroken.Aborted());
            }
            else if (_length > 0)
            {
                return new ValueTask<int>(TakeOut(buffer, offset, count));
            }
            else if (_completed || _writerGone)
            {
                return new ValueTask<int>(0);
            }
            else
            {
                (_pending, _pendingOffset, _pendingCount) = (buffer, offset, count);
            }

            return new ValueTask<int>(this, _read.Version);
        }
    }

    public void Write(byte[] buffer, int offset, int count)
    {
        lock (_gate)
        {
            while (count > 0)
            {
                while (_length == _ring.Length && !_readerGone && !_writerAborted)
                {
                    Monitor.Wait(_gate);
                }

                if (_writerAborted)
                {
                    throw WireBroken.Aborted();
                }

                if (_readerGone || _completed)
                {
                    throw WireBroken.PeerGone();
                }

                int taken = PutIn(buffer, offset, count);
                offset += taken;
                count -= taken;
                AnswerPending();
            }
        }
    }

    /// <summary>The writer is done: the reader gets what is there, then the end.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _completed = true;
            AnswerPending();
        }
    }

    /// <summary>The writing side ended without waiting: its blocked write fails, the reader gets what is there, then the end.</summary>
    public void AbortWriter()
    {
        lock (_gate)
        {
            _writerGone = _writerAborted = true;
            AnswerPending();
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>The reading side ended without waiting: its pending read fails, and so does every write.</summary>
    public void AbortReader()
    {
        lock (_gate)
        {
            _readerGone = _readerAborted = true;
            _length = 0;
            if (_pending is not null)
            {
                _pending = null;
                _read.SetException(WireBroken.Aborted());
            }

            Monitor.PulseAll(_gate);
        }
    }

    int IValueTaskSource<int>.GetResult(short token) => _read.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _read.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _read.OnCompleted(continuation, state, token, flags);

    private void AnswerPending()
    {
        if (_pending is { } buffer && (_length > 0 || _completed || _writerGone))
        {
            _pending = null;
            _read.SetResult(_length > 0 ? TakeOut(buffer, _pendingOffset, _pendingCount) : 0);
        }
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
