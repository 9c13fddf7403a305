using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>How a call waits: it blocks its caller's thread, or it awaits with a token.</summary>
/// <remarks>
/// With this, one asynchronous body serves both forms of a call. A blocking body never suspends, because every wait in it is over when
/// <see cref="WaitAsync"/> or <see cref="ReadAsync"/> returns.
/// </remarks>
internal readonly struct WaitMode
{
    private readonly bool _blocks;

    private WaitMode(bool blocks, CancellationToken cancellationToken)
    {
        _blocks = blocks;
        CancellationToken = cancellationToken;
    }

    /// <summary>Gets the mode that blocks the caller's thread.</summary>
    public static WaitMode Blocking => new(true, default);

    /// <summary>Gets the token that ends waits; none if the call blocks.</summary>
    public CancellationToken CancellationToken { get; }

    /// <summary>Gets a value indicating whether a token can end a wait.</summary>
    public bool CanBeCancelled => !_blocks && CancellationToken.CanBeCanceled;

    /// <summary>Returns the mode that awaits.</summary>
    /// <param name="cancellationToken">Ends waits.</param>
    public static WaitMode Async(CancellationToken cancellationToken) => new(false, cancellationToken);

    /// <summary>Ends the blocking form of a call.</summary>
    /// <param name="call">The call.</param>
    public static void Block(ValueTask call)
    {
        if (call.IsCompletedSuccessfully)
        {
            call.GetAwaiter().GetResult();
        }
        else
        {
            call.AsTask().GetAwaiter().GetResult();
        }
    }

    /// <summary>Waits inside a call's body.</summary>
    /// <param name="pending">What to wait for.</param>
    /// <returns>The same; completed already if the call blocks.</returns>
    public ValueTask WaitAsync(ValueTask pending)
    {
        if (!_blocks)
        {
            return pending;
        }

        Block(pending);
        return default;
    }

    /// <summary>Reads from a stream inside a call's body.</summary>
    /// <param name="source">The stream.</param>
    /// <param name="buffer">Where the bytes go.</param>
    /// <param name="offset">Where they begin in the buffer.</param>
    /// <param name="count">The most bytes to read.</param>
    /// <param name="cancellationToken">Ends a read that awaits.</param>
    public ValueTask<int> ReadAsync(Stream source, byte[] buffer, int offset, int count, CancellationToken cancellationToken) => _blocks
        ? new ValueTask<int>(source.Read(buffer, offset, count))
        : new ValueTask<int>(source.ReadAsync(buffer, offset, count, cancellationToken));
}
