using System;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Counts the calls of a link that wait and were begun in a handler of the same link: a deadlock if the handler waits for
/// them.</summary>
/// <remarks>Safe from any thread.</remarks>
/// <param name="calls">Finds the running handler that the calling code belongs to.</param>
internal sealed class OwnWaits(HandlerCalls calls)
{
    private readonly object _gate = new();
    private readonly int[] _counts = new int[4];
    private volatile LoopBlock? _block;   // written by the heartbeat, read by who waits for capacity: by itself

    /// <summary>The calls that can wait.</summary>
    public enum Call
    {
        /// <summary>A send that waits for capacity.</summary>
        Send,

        /// <summary>A request that waits for its answer.</summary>
        Request,

        /// <summary>A close that waits for the link's end.</summary>
        Close,

        /// <summary>A wait for the peer's Ack.</summary>
        Acknowledgment,
    }

    /// <summary>Returns the running handler that the calling code belongs to; null for any other code.</summary>
    public HandlerScope? FindOwnHandler() => calls.FindOwn();

    /// <summary>Gets or sets the loop of the program that keeps the link from reading while nothing is written either; null: there is none.
    /// Set by the heartbeat.</summary>
    public LoopBlock? Block
    {
        get => _block;
        set => _block = value;
    }

    /// <summary>Gets a value indicating whether a send waits for capacity.</summary>
    public bool AnySend => IsAny(Call.Send);

    /// <summary>Gets the call that waits, for people; null if there is none.</summary>
    public string? Waiting =>
        IsAny(Call.Send) ? "SendAsync or Send" : IsAny(Call.Request) ? "RequestAsync" : IsAny(Call.Close) ? "CloseAsync"
            : IsAny(Call.Acknowledgment) ? "WaitForAcknowledgedAsync" : null;

    /// <summary>Counts a call that begins to wait in a handler.</summary>
    public void Begin(Call call) => Add(call, 1);

    /// <summary>Counts a call that waits no more.</summary>
    public void End(Call call) => Add(call, -1);

    /// <summary>Counts a call while it waits, if it was begun in a handler.</summary>
    public Task<T> NoteAsync<T>(Task<T> waiting, Call call) =>
        waiting.IsCompleted || FindOwnHandler() is null ? waiting : CountAsync(waiting, call);

    private async Task<T> CountAsync<T>(Task<T> waiting, Call call)
    {
        Begin(call);
        try
        {
            return await waiting.ConfigureAwait(false);
        }
        finally
        {
            End(call);
        }
    }

    private bool IsAny(Call call)
    {
        lock (_gate)
        {
            return _counts[(int)call] > 0;
        }
    }

    private void Add(Call call, int more)
    {
        lock (_gate)
        {
            _counts[(int)call] += more;
        }
    }
}

/// <summary>A loop that takes nothing, for which a link's receive thread waits, while the peer reads nothing.</summary>
/// <param name="Unread">The link's packets in loops.</param>
/// <param name="Moves">How many those loops had taken when it was seen.</param>
/// <param name="Why">A sentence for a person.</param>
internal sealed record LoopBlock(UnreadPackets Unread, long Moves, string Why)
{
    /// <summary>Gets a value indicating whether it is over.</summary>
    public bool IsOver => Unread.Awaited is null || Unread.Moves != Moves;
}
