using System;
using System.Threading;

namespace Transport;

/// <summary>How long the memory of a packet holds that packet: from when it is given to its store or handler until both are done.</summary>
/// <remarks>Any thread may look. One that reads just when the loan ends looks again behind the read, where that is possible: a copy is good
/// or throws. A span is the reader's own risk: a handler is done when nothing that it has started reads its packet any more.</remarks>
internal readonly struct Loan
{
    private readonly ReceiveContext? _source;
    private readonly long _turn;

    /// <summary>Initializes a new instance of the <see cref="Loan"/> struct for the packet that its link has in hand. The default never
    /// ends: the memory is the caller's own.</summary>
    /// <param name="source">The link.</param>
    public Loan(ReceiveContext source) => (_source, _turn) = (source, source.Turn);

    /// <summary>Gets a value indicating whether it has ended.</summary>
    public bool IsOver => _source is not null && _source.Turn != _turn;

    /// <summary>Keeps count of it from now on: something is made of the packet that may outlive its handler's stack.</summary>
    public void Lend() => _source?.Lend();

    /// <summary>Refuses what was read if it has ended meanwhile.</summary>
    /// <exception cref="ObjectDisposedException">It has.</exception>
    public void ThrowIfOverBehindRead()
    {
        if (_source is not null)
        {
            Interlocked.MemoryBarrier();   // what was read comes before this look
            ThrowIfOver();
        }
    }

    /// <summary>Refuses to go on if it has ended.</summary>
    /// <exception cref="ObjectDisposedException">It has.</exception>
    public void ThrowIfOver()
    {
        if (IsOver)
        {
            throw new ObjectDisposedException(
                nameof(PacketLease),
                "The packet's handler has returned, and its memory is used for other packets: copy what must live longer (ToArray), or let "
                    + "the handler's task complete later.");
        }
    }
}
