using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Testing.Wires;

/// <summary>A wire with faults, around any other. Keeps the contract of <see cref="IWire"/> but for what the plan says.</summary>
internal sealed class FaultyWire : IWire
{
    private readonly IWire _inner;
    private readonly FaultPlan _plan;
    private readonly SemaphoreSlim _permits = new(0);
    private readonly ManualResetEventSlim _readGate = new(false);
    private readonly ManualResetEventSlim _writeGate = new(false);
    private readonly TaskCompletionSource<bool> _readStalled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<bool> _writeStalled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _read;
    private long _written;
    private volatile bool _aborted;

    /// <summary>Initializes a new instance of the <see cref="FaultyWire"/> class.</summary>
    /// <param name="inner">The valid wire; owned from now on.</param>
    /// <param name="plan">What goes wrong.</param>
    public FaultyWire(IWire inner, FaultPlan plan)
    {
        _inner = inner;
        _plan = plan;
    }

    /// <inheritdoc/>
    public WireKind Kind => _inner.Kind;

    /// <inheritdoc/>
    public PeerIdentity Peer => _inner.Peer;

    /// <summary>Gets how many bytes were read so far.</summary>
    public long BytesRead => Interlocked.Read(ref _read);

    /// <summary>Gets how many bytes were written so far.</summary>
    public long BytesWritten => Interlocked.Read(ref _written);

    /// <summary>Gets the task that completes when a read has come to the plan's stall.</summary>
    public Task ReadStalled => _readStalled.Task;

    /// <summary>Gets the task that completes when a write has come to the plan's stall.</summary>
    public Task WriteStalled => _writeStalled.Task;

    /// <summary>Lets reading go on past the stall, now and later.</summary>
    public void OpenReads() => _readGate.Set();

    /// <summary>Lets writing go on past the stall, now and later.</summary>
    public void OpenWrites() => _writeGate.Set();

    /// <summary>Gives permits where the plan steps reads.</summary>
    /// <param name="reads">How many reads may go on.</param>
    public void AllowReads(int reads) => _permits.Release(reads);

    /// <inheritdoc/>
    public int Read(byte[] buffer, int offset, int count, int patience)
    {
        if (_plan.StepReads && !_permits.Wait(patience))
        {
            return -1;
        }

        if (_plan.StallReadAt == _read)
        {
            _readStalled.TrySetResult(true);
            if (!_readGate.Wait(patience))
            {
                return -1;
            }
        }

        if (_plan.CutReadAt <= _read)
        {
            _inner.Abort();
            return _plan.CutReadThrows || _aborted ? throw new IOException("The faulty wire was cut (reading).") : 0;
        }

        int most = _plan.MaxRead > 0 ? Math.Min(count, _plan.MaxRead) : count;
        most = UpTo(_plan.StallReadAt, _read, UpTo(_plan.CutReadAt, _read, most));
        int got = _inner.Read(buffer, offset, most, patience);
        if (got < 0)
        {
            _ = _plan.StepReads ? _permits.Release() : 0;   // nothing came: the permit is good for the next read
            return got;
        }

        if (_plan.FlipReadAt is { } flip && flip >= _read && flip < _read + got)
        {
            buffer[offset + (int)(flip - _read)] ^= _plan.FlipMask;
        }

        Interlocked.Add(ref _read, got);
        return got;
    }

    /// <inheritdoc/>
    public void Write(byte[] buffer, int offset, int count)
    {
        while (count > 0)
        {
            if (_plan.StallWriteAt == _written)
            {
                _writeStalled.TrySetResult(true);
                _writeGate.Wait();
            }

            if (_plan.CutWriteAt <= _written)
            {
                _inner.Abort();
                throw new IOException("The faulty wire was cut (writing).");
            }

            int piece = UpTo(_plan.StallWriteAt, _written, UpTo(_plan.CutWriteAt, _written, count));
            WritePiece(buffer, offset, piece);
            offset += piece;
            count -= piece;
        }
    }

    /// <inheritdoc/>
    public void Shutdown() => _inner.Shutdown();

    /// <inheritdoc/>
    public void Abort()
    {
        _aborted = true;
        _inner.Abort();
        OpenReads();
        OpenWrites();
        _permits.Release(); // At most one read is under way.
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Abort();
        _inner.Dispose();
    }

    private static int UpTo(long? position, long now, int count) => position > now ? (int)Math.Min(count, position.Value - now) : count;

    private void WritePiece(byte[] buffer, int offset, int count)
    {
        if (_plan.FlipWriteAt is { } flip && flip >= _written && flip < _written + count)
        {
            byte[] wrong = new byte[count];
            Buffer.BlockCopy(buffer, offset, wrong, 0, count);
            wrong[(int)(flip - _written)] ^= _plan.FlipMask;
            (buffer, offset) = (wrong, 0);
        }

        _inner.Write(buffer, offset, count);
        Interlocked.Add(ref _written, count);
    }
}
