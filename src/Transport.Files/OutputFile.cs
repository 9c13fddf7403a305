using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>One file of a <see cref="FileOutput"/> whose bytes come piece by piece, for as many files at once as wanted: a file that waits for bytes holds no writer.</summary>
/// <remarks>For one caller at a time. Disposed without <see cref="Complete"/> it fails the output with <see cref="TransportFault.FileSourceFailed"/>: half a file is never published. <see cref="Break"/> and <see cref="Dispose"/>, and the end of the output, may come from any thread, also while a call is in progress.</remarks>
public sealed class OutputFile : IDisposable
{
    /// <summary>No call is in progress; one is; one is, and behind it the file is over; it is over.</summary>
    private const int Idle = 0, Busy = 1, BrokenOff = 2, Over = 3;

    private readonly FileOutput _output;
    private readonly FileFeed _feed;
    private EarlierFeed? _earlier;
    private Exception? _cause;
    private int _state;

    internal OutputFile(FileOutput output, OutputCore core, FileFeed feed, string path, EarlierFile? earlier)
    {
        _output = output;
        _feed = feed;
        Path = path;
        _earlier = earlier is null ? null : new EarlierFeed(core, feed, earlier, path);
    }

    /// <summary>Gets the path, as given.</summary>
    public string Path { get; }

    /// <summary>Adds bytes; waits while there is no room. Each call becomes a write of its own, so pieces of some KiB are better than many small ones.</summary>
    /// <param name="bytes">The bytes; copied, and the caller's again when the task has ended.</param>
    /// <param name="cancellation">Ends the wait; the file must then be broken off.</param>
    /// <returns>A task that ends when the bytes are taken, not when they are written.</returns>
    /// <exception cref="TransportException">The output has failed (with its first failure), or more bytes came than <see cref="FileEntry.Length"/> says.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="ObjectDisposedException">It was completed or broken off.</exception>
    /// <exception cref="InvalidOperationException">Another call is in progress.</exception>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellation = default)
    {
        Enter();
        _feed.Blocks = false;
        return CallAsync(bytes, cancellation);
    }

    /// <summary>Adds bytes; blocks the caller's thread while there is no room.</summary>
    /// <param name="bytes">The bytes; copied.</param>
    /// <exception cref="TransportException">As <see cref="WriteAsync"/>.</exception>
    /// <exception cref="ObjectDisposedException">It was completed or broken off.</exception>
    public void Write(ReadOnlyMemory<byte> bytes)
    {
        Enter();
        _feed.Blocks = true;
        MemoryBudget.Block(CallAsync(bytes, default));
    }

    /// <summary>Says that all bytes are there (blocks the caller's thread while there is no room for the entry itself); a writer closes the file when it has written them.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.FileSourceFailed"/>: fewer bytes came than <see cref="FileEntry.Length"/> says.</exception>
    /// <exception cref="ObjectDisposedException">It was completed or broken off.</exception>
    public void Complete()
    {
        Enter();
        _feed.Blocks = true;
        int after = Idle;
        try
        {
            if (_earlier?.TryEnd() != true)
            {
                MemoryBudget.Block(_earlier is null ? _feed.EndAsync(default) : EndAsync());
            }

            after = Over;
        }
        finally
        {
            Exit(after);
        }
    }

    /// <summary>Says that the bytes will never be complete: the output fails with <see cref="TransportFault.FileSourceFailed"/>.</summary>
    /// <param name="cause">Why.</param>
    public void Break(Exception cause)
    {
        _ = cause ?? throw new ArgumentNullException(nameof(cause));
        while (Volatile.Read(ref _state) is var state && state is Idle or Busy)
        {
            if (state == Idle && Interlocked.CompareExchange(ref _state, Over, Idle) == Idle)
            {
                End(cause);
                return;
            }

            // A call holds what must be given back; it ends soon, for memory always drains, and then does the rest.
            Volatile.Write(ref _cause, cause);
            if (state == Busy && Interlocked.CompareExchange(ref _state, BrokenOff, Busy) == Busy)
            {
                return;
            }
        }
    }

    /// <summary>Breaks off, unless completed.</summary>
    public void Dispose() => Break(new TransportException(TransportFault.FileSourceFailed, "The file was given up before all its bytes had come"));

    private ValueTask AddAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellation) =>
        _earlier is null ? _feed.WriteAsync(bytes, cancellation)
        : _earlier.Takes(bytes.Span) ? default
        : HandOverAsync(bytes, cancellation);

    /// <summary>Goes on without the earlier file.</summary>
    private async ValueTask HandOverAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellation)
    {
        if (Interlocked.Exchange(ref _earlier, null) is { } earlier)
        {
            using (earlier)
            {
                await earlier.HandOverAsync(cancellation).ConfigureAwait(false);
            }
        }

        await _feed.WriteAsync(bytes, cancellation).ConfigureAwait(false);
    }

    private async ValueTask EndAsync()
    {
        await HandOverAsync(default, default).ConfigureAwait(false);
        await _feed.EndAsync(default).ConfigureAwait(false);
    }

    private ValueTask CallAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellation)
    {
        ValueTask call;
        try
        {
            call = AddAsync(bytes, cancellation);
        }
        catch
        {
            Exit(Idle);
            throw;
        }

        if (!call.IsCompletedSuccessfully)
        {
            return ExitBehindAsync(call);
        }

        call.GetAwaiter().GetResult();
        Exit(Idle);
        return default;
    }

    private async ValueTask ExitBehindAsync(ValueTask call)
    {
        try
        {
            await call.ConfigureAwait(false);
        }
        finally
        {
            Exit(Idle);
        }
    }

    private void Enter()
    {
        int was = Interlocked.CompareExchange(ref _state, Busy, Idle);
        if (was != Idle)
        {
            throw was == Busy
                ? new InvalidOperationException($"The file '{EntryName.Escape(Path)}' is in another call: it is for one caller at a time.")
                : new ObjectDisposedException(nameof(OutputFile), $"The file '{EntryName.Escape(Path)}' is completed or broken off.");
        }
    }

    private void Exit(int after)
    {
        if (Interlocked.CompareExchange(ref _state, after, Busy) == BrokenOff)
        {
            Volatile.Write(ref _state, Over);
            End(Volatile.Read(ref _cause)!);
        }
        else if (after == Over)
        {
            Leave();
        }
    }

    private void End(Exception cause)
    {
        Leave();
        _feed.Break(cause);
    }

    private void Leave()
    {
        Interlocked.Exchange(ref _earlier, null)?.Dispose();
        _output.Left(this);
    }
}
