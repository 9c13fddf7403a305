using System;
using System.IO;
using System.Threading;

namespace Transport.Testing.Wires;

/// <summary>A wire for one direction whose every write stops in its middle until the test lets it return or fail.</summary>
internal sealed class GatedWire : IWire
{
    private readonly object _gate = new();
    private readonly MemoryStream _bytes = new();
    private int _inside;
    private bool _atGate;
    private bool _isOpen;
    private bool? _verdict;

    /// <inheritdoc/>
    public WireKind Kind => WireKinds.OfMemory;

    /// <inheritdoc/>
    public PeerIdentity Peer => throw new NotSupportedException();

    /// <summary>Gets the thread that wrote last, or null.</summary>
    public Thread? Writer { get; private set; }

    /// <summary>Gets what was done wrong, or null: two writes at once, or a write after one that failed.</summary>
    public string? Fault { get; private set; }

    /// <summary>Gets a value indicating whether a write has failed.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Gets how many bytes the writes had that returned.</summary>
    public long WholeBytes { get; private set; }

    /// <summary>Gets a value indicating whether a write waits for <see cref="Decide"/>.</summary>
    public bool IsAtGate
    {
        get
        {
            lock (_gate)
            {
                return _atGate;
            }
        }
    }

    /// <summary>Returns everything that was written so far, with the half of a write that failed.</summary>
    /// <returns>A copy.</returns>
    public byte[] Bytes()
    {
        lock (_gate)
        {
            return _bytes.ToArray();
        }
    }

    /// <summary>Lets the write that waits return, or fail.</summary>
    /// <param name="succeeds">False: it throws, and its second half is never written.</param>
    public void Decide(bool succeeds)
    {
        lock (_gate)
        {
            _verdict = succeeds;
            _atGate = false;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Lets all writes return from now on.</summary>
    public void Open()
    {
        lock (_gate)
        {
            _isOpen = true;
            _atGate = false;
            Monitor.PulseAll(_gate);
        }
    }

    /// <inheritdoc/>
    public int Read(byte[] buffer, int offset, int count, int patience) => throw new NotSupportedException();

    /// <inheritdoc/>
    public void Write(byte[] buffer, int offset, int count)
    {
        lock (_gate)
        {
            Writer = Thread.CurrentThread;
            Fault ??= _inside++ > 0 ? "two threads wrote at once" : HasFailed ? "it was written to after a write had failed" : null;
            int half = count / 2;
            _bytes.Write(buffer, offset, half);
            _verdict = null;
            _atGate = !_isOpen;
            while (_verdict is null && !_isOpen)
            {
                Monitor.Wait(_gate);
            }

            _inside--;
            if (_verdict == false)
            {
                HasFailed = true;
                throw new IOException("The schedule lets this write fail.");
            }

            _bytes.Write(buffer, offset + half, count - half);
            WholeBytes += count;
        }
    }

    /// <inheritdoc/>
    public void Shutdown()
    {
    }

    /// <inheritdoc/>
    public void Abort() => Open();

    /// <inheritdoc/>
    public void Dispose() => Open();
}
