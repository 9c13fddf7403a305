using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;

namespace Transport.Terminal;

/// <summary>
/// A stream that is written by a thread of its own behind a queue with a bound. While the queue is full, writers wait: a slow reader slows
/// the work down and loses nothing. An interrupt ends that waiting soon, so that a reader who reads nothing cannot keep the program from
/// ending; what finds no capacity then is dropped. Safe from any thread. Writing never throws: see <see cref="Fault"/>.
/// </summary>
public sealed class StdoutQueue : Stream
{
    private const int MostBytes = 1 << 20;

    /// <summary>How long after an interrupt there is still waiting for the reader, all in all.</summary>
    private static readonly TimeSpan Hurry = TimeSpan.FromSeconds(1), LastHurry = TimeSpan.FromMilliseconds(500);

    private readonly object _gate = new();
    private readonly Queue<byte[]> _queue = new();
    private readonly Stream _output;
    private readonly TimeProvider _clock;
    private readonly CancellationTokenRegistration _interrupted;
    private readonly bool _isTerminal = !Console.IsOutputRedirected;
    private int _bytes;
    private long? _deadline;
    private bool _silent;
    private bool _ended;

    /// <summary>Initializes a new instance of the <see cref="StdoutQueue"/> class: starts its thread.</summary>
    /// <param name="output">What to write to; owned.</param>
    /// <param name="interrupt">Ends the waiting for capacity.</param>
    /// <param name="clock">Times the hurry after an interrupt.</param>
    public StdoutQueue(Stream output, CancellationToken interrupt, TimeProvider clock)
    {
        _output = output;
        _clock = clock;
        new Thread(WriteAll) { IsBackground = true, Name = "stdout" }.Start();
        _interrupted = interrupt.UnsafeRegister(static queue => ((StdoutQueue)queue!).SetDeadline(Hurry), this);
    }

    /// <summary>Gets why nothing more is written (a full disk), or null; complete after <see cref="Drain"/>. A reader that has gone away is
    /// no fault.</summary>
    public string? Fault { get; private set; }

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        byte[] copy = buffer.ToArray();
        lock (_gate)
        {
            // One that is larger than the queue goes through alone.
            while (!_silent && _bytes > 0 && _bytes + copy.Length > MostBytes && WaitLocked())
            {
            }

            if (_silent || _ended || (_bytes > 0 && _bytes + copy.Length > MostBytes))
            {
                return;
            }

            _queue.Enqueue(copy);
            _bytes += copy.Length;
            Monitor.PulseAll(_gate);
        }
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <summary>Does nothing: the queue is written as fast as it can be.</summary>
    public override void Flush()
    {
    }

    /// <summary>Waits until all is written; after an interrupt only for a moment.</summary>
    public void Drain()
    {
        lock (_gate)
        {
            if (_deadline is not null)
            {
                _deadline = Math.Max(_deadline.Value, After(LastHurry));
            }

            while (_bytes > 0 && !_silent && WaitLocked())
            {
            }
        }
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _interrupted.Dispose();
            lock (_gate)
            {
                // After an interrupt the drain before was the last wait.
                while (_deadline is null && _bytes > 0 && !_silent && WaitLocked())
                {
                }

                // The thread closes the stream; if it hangs in a write, the end of the process does.
                _ended = true;
                Monitor.PulseAll(_gate);
            }
        }

        base.Dispose(disposing);
    }

    /// <summary>The reader of our lines has seen enough (<c>| head</c>), or closed the terminal (an I/O error, EIO): the work goes on in
    /// silence.</summary>
    private bool IsReaderGone(Exception e) => e is ObjectDisposedException || (e.HResult & 0xffff) == 32
        || (_isTerminal && (e.HResult & 0xffff) == 5);

    private void SetDeadline(TimeSpan most)
    {
        lock (_gate)
        {
            _deadline ??= After(most);
            Monitor.PulseAll(_gate);
        }
    }

    private long After(TimeSpan time) => _clock.GetTimestamp() + (long)(time.TotalSeconds * _clock.TimestampFrequency);

    /// <summary>Waits for news of the queue.</summary>
    /// <returns>False if there is no time left to wait.</returns>
    private bool WaitLocked()
    {
        if (_deadline is not { } deadline)
        {
            return Monitor.Wait(_gate);
        }

        TimeSpan left = _clock.GetElapsedTime(_clock.GetTimestamp(), deadline);
        return left > TimeSpan.Zero && Monitor.Wait(_gate, left);
    }

    private void WriteAll()
    {
        while (Next() is { } bytes)
        {
            string? fault = null;
            bool failed = false;
            try
            {
                _output.Write(bytes);
                _output.Flush();
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
            {
                failed = true;
                string why = e is UnauthorizedAccessException ? "it is closed, or open for reading only" : e.Message;
                fault = IsReaderGone(e) ? null : $"stdout cannot be written: {why}";
            }

            lock (_gate)
            {
                _bytes -= bytes.Length;
                _silent |= failed;
                Fault ??= fault;
                Monitor.PulseAll(_gate);
            }
        }

        _output.Dispose();
    }

    private byte[]? Next()
    {
        lock (_gate)
        {
            while (_queue.Count == 0 && !_ended)
            {
                Monitor.Wait(_gate);
            }

            return _silent || !_queue.TryDequeue(out byte[]? bytes) ? null : bytes;
        }
    }
}
