using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Receiving.Tails;

namespace Transport.Links;

/// <content>The crash-surviving tail of the peer.</content>
public sealed partial class Link
{
    /// <summary>Gets or sets what gives the peer's tail, see <c>ReceiveLoop.Tail</c>. Set before <see cref="Start"/>.</summary>
    internal Func<Task<TailContent?>>? Tail { get; set; }

    private async Task<TailContent?> ReadTailAsync()
    {
        TailContent? tail = await Tail!().ConfigureAwait(false);
        if (tail is not null)
        {
            // What is left to handle is finite, and the peer cannot close any more: what a failed write had limited is not cut short.
            Interlocked.Exchange(ref _limit, null)?.Dispose();
        }

        return tail;
    }
}
