using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>A file of a <see cref="FileOutput"/> whose bytes come piece by piece.</summary>
/// <remarks>
/// Any number of files may be open at once: a file that waits for bytes holds no thread.
/// For one caller at a time. If it is disposed without <see cref="Complete"/>, the output fails with
/// <see cref="TransportFault.FileSourceFailed"/>: half a file is never published. <see cref="Abort"/>, <see cref="Dispose"/> and the end of
/// the output may come from any thread, also while a call is in progress.
/// </remarks>
public sealed class OutputFile : IDisposable
{
    private readonly object _gate = new();
    private readonly FileFeed _feed;
    private readonly Action<OutputFile> _left;
    private EarlierFeed? _earlier;
    private Exception? _cause;
    private State _state;

    internal OutputFile(FileFeed feed, string path, EarlierFeed? earlier, Action<OutputFile> left)
    {
        _feed = feed;
        Path = path;
        _earlier = earlier;
        _left = left;
    }

    private enum State
    {
        /// <summary>No call is in progress.</summary>
        Idle,

        /// <summary>A call is in progress.</summary>
        Busy,

        /// <summary>A call is in progress, and the file is broken after it.</summary>
        BreaksAfterCall,

        /// <summary>The file is complete or broken.</summary>
        Over,
    }

    /// <summary>Gets the path as it was given.</summary>
    public string Path { get; }

    /// <summary>Adds bytes; waits while the memory budget is used up.</summary>
    /// <remarks>Each call becomes a write of its own, so pieces of some KiB are better than many small ones.</remarks>
    /// <param name="bytes">The bytes; copied, and the caller's again when the task has completed.</param>
    /// <param name="cancellationToken">Ends the wait; the file must then be broken off.</param>
    /// <returns>A task that completes when the bytes are taken, not when they are written.</returns>
    /// <exception cref="TransportException">
    /// The output has failed (with its first failure), or the file is longer than <see cref="FileEntry.Length"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The file is complete or broken.</exception>
    /// <exception cref="InvalidOperationException">Another call is in progress.</exception>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken = default) =>
        WriteAsync(bytes, WaitMode.Async(cancellationToken));

    /// <summary>Adds bytes; blocks the caller's thread while the memory budget is used up.</summary>
    /// <param name="bytes">The bytes; copied.</param>
    /// <exception cref="TransportException">As for <see cref="WriteAsync(ReadOnlyMemory{byte}, CancellationToken)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The file is complete or broken.</exception>
    /// <exception cref="InvalidOperationException">Another call is in progress.</exception>
    public void Write(ReadOnlyMemory<byte> bytes) => WaitMode.Block(WriteAsync(bytes, WaitMode.Blocking));

    /// <summary>Ends the file after its last byte. A writer closes it after writing what is queued.</summary>
    /// <remarks>Blocks the caller's thread while the memory budget is used up.</remarks>
    /// <exception cref="TransportException">
    /// The output has failed, or <see cref="TransportFault.FileSourceFailed"/>: the file is shorter than <see cref="FileEntry.Length"/>.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The file is complete or broken.</exception>
    /// <exception cref="InvalidOperationException">Another call is in progress.</exception>
    public void Complete()
    {
        Enter();
        State after = State.Idle;
        try
        {
            if (Earlier?.TryTakeOver() != true)
            {
                WaitMode.Block(EndAsync(WaitMode.Blocking));
            }

            after = State.Over;
        }
        finally
        {
            Exit(after);
        }
    }

    /// <summary>Breaks the file off: the output fails with <see cref="TransportFault.FileSourceFailed"/>.</summary>
    /// <param name="cause">The reason.</param>
    public void Abort(Exception cause)
    {
        _ = cause ?? throw new ArgumentNullException(nameof(cause));
        lock (_gate)
        {
            if (_state == State.Busy)
            {
                // The call holds memory that must be given back. It ends soon, because memory always drains, and then breaks the file.
                _cause = cause;
                _state = State.BreaksAfterCall;
            }

            if (_state != State.Idle)
            {
                return;
            }

            _state = State.Over;
        }

        End(cause);
    }

    /// <summary>Breaks the file off unless it is complete.</summary>
    public void Dispose()
    {
        const string GivenUp = "The file was given up before all its bytes had come";
        Abort(new TransportException(TransportFault.FileSourceFailed, GivenUp));
    }

    private EarlierFeed? Earlier
    {
        get
        {
            lock (_gate)
            {
                return _earlier;
            }
        }
    }

    /// <summary>The one body of both forms of writing.</summary>
    private async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, WaitMode mode)
    {
        Enter();
        try
        {
            if (Earlier?.TryMatch(bytes.Span) != true)
            {
                await HandOverAsync(mode).ConfigureAwait(false);
                await _feed.WriteAsync(bytes, mode).ConfigureAwait(false);
            }
        }
        finally
        {
            Exit(State.Idle);
        }
    }

    private async ValueTask EndAsync(WaitMode mode)
    {
        await HandOverAsync(mode).ConfigureAwait(false);
        await _feed.EndAsync(mode).ConfigureAwait(false);
    }

    /// <summary>Goes on without the earlier file, if there is one.</summary>
    private async ValueTask HandOverAsync(WaitMode mode)
    {
        using EarlierFeed? earlier = TakeEarlier();
        if (earlier is not null)
        {
            await earlier.HandOverAsync(mode).ConfigureAwait(false);
        }
    }

    private EarlierFeed? TakeEarlier()
    {
        lock (_gate)
        {
            EarlierFeed? earlier = _earlier;
            _earlier = null;
            return earlier;
        }
    }

    private void Enter()
    {
        State was;
        lock (_gate)
        {
            was = _state;
            _state = was == State.Idle ? State.Busy : was;
        }

        if (was != State.Idle)
        {
            string path = TerminalText.Escape(Path);
            throw was == State.Busy
                ? new InvalidOperationException($"The file '{path}' is in another call: it is for one caller at a time.")
                : new ObjectDisposedException(nameof(OutputFile), $"The file '{path}' is completed or broken off.");
        }
    }

    private void Exit(State after)
    {
        Exception? cause = null;
        lock (_gate)
        {
            if (_state == State.BreaksAfterCall)
            {
                cause = _cause;
                after = State.Over;
            }

            _state = after;
        }

        if (cause is not null)
        {
            End(cause);
        }
        else if (after == State.Over)
        {
            Leave();
        }
    }

    private void End(Exception cause)
    {
        Leave();
        _feed.Abort(cause);
    }

    private void Leave()
    {
        TakeEarlier()?.Dispose();
        _left(this);
    }
}
