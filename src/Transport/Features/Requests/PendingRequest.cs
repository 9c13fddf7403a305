using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>One request of this side, until it has its response or is given up.</summary>
/// <remarks>Safe from any thread. A Cancel follows its Request: one caller notes that the Request is queued, another that the request is
/// given up, and the later of the two sends the Cancel.</remarks>
internal sealed class PendingRequest : IDisposable
{
    /// <summary>How much earlier than here the peer's copy of a deadline may run out: it is in whole milliseconds, and by another
    /// timer.</summary>
    private static readonly TimeSpan Early = TimeSpan.FromMilliseconds(50);

    private readonly object _gate = new();
    private readonly Deadline? _deadline;
    private readonly TaskCompletionSource<byte[]?> _response = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isQueued;
    private bool _isGivenUp;

    /// <summary>Initializes a new instance of the <see cref="PendingRequest"/> class.</summary>
    /// <param name="id">Its number in this direction.</param>
    /// <param name="lane">The lane of its packets.</param>
    /// <param name="name">The request's type, for people.</param>
    /// <param name="deadline">When it is given up; null: never.</param>
    /// <param name="items">Takes what comes before the response; null: nothing does.</param>
    public PendingRequest(long id, Lane lane, string name, Deadline? deadline, ItemBuffer? items)
    {
        Id = id;
        Lane = lane;
        Name = name;
        _deadline = deadline;
        Items = items;

        // Seen, also if the caller has an exception already.
        _ = _response.Task.ContinueWith(static t => t.Exception, CancellationToken.None,
            TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    /// <summary>Gets when it was made, as the clock's timestamp.</summary>
    public long Since { get; init; }

    /// <summary>Gets its number.</summary>
    public long Id { get; }

    /// <summary>Gets the request's type, for people.</summary>
    public string Name { get; }

    /// <summary>Gets the lane of its packets.</summary>
    public Lane Lane { get; }

    /// <summary>Gets a value indicating whether its time is over, here or by the peer's copy of the deadline.</summary>
    public bool IsLate => _deadline is { } deadline && deadline.Left <= Early;

    /// <summary>Gets the buffer of the items before the response; null: there are none.</summary>
    public ItemBuffer? Items { get; }

    /// <summary>Gets the response's bytes; null if the items were all.</summary>
    public Task<byte[]?> Response => _response.Task;

    /// <summary>Gets or sets the timer that gives the request up.</summary>
    public Delay? Limit { get; set; }

    /// <summary>Gets or sets the registration that gives the request up if its caller does.</summary>
    public CancellationTokenRegistration Cancellation { get; set; }

    /// <summary>Gets the exception that the request failed with; null: it has not failed.</summary>
    public Exception? Failure => _response.Task.Exception?.InnerException;

    /// <summary>Makes the exception for a request whose time is over.</summary>
    public TransportException Late()
    {
        string within = FormattableString.Invariant($"within {_deadline?.Limit.TotalSeconds:0.###} s");
        return new TransportException(
            TransportFault.RequestTimeout,
            Items is null ? $"No response to {Name} arrived {within}."
                : $"The stream that answers {Name} had not come to its end {within}: "
                    + FormattableString.Invariant($"{Items.Read} items were read."));
    }

    /// <summary>Ends the wait with a response, or with what it says that has failed.</summary>
    public void End(byte[]? response, TransportException? failure)
    {
        if (failure is not null)
        {
            Fail(failure);
            return;
        }

        _response.TrySetResult(response);
        Items?.Complete();
    }

    /// <summary>Ends the wait with an exception.</summary>
    /// <returns>Whether this call ended it.</returns>
    public bool Fail(Exception exception)
    {
        bool ended = _response.TrySetException(exception);
        Items?.Complete();
        return ended;
    }

    /// <summary>Ends what waits to give the request up.</summary>
    public void Dispose()
    {
        Cancellation.Dispose();
        Limit?.Dispose();
    }

    /// <summary>Notes that the Request is queued.</summary>
    /// <returns>Whether the request was given up before, so that this caller sends the Cancel.</returns>
    public bool NoteQueued()
    {
        lock (_gate)
        {
            _isQueued = true;
            return _isGivenUp;
        }
    }

    /// <summary>Notes that the request is given up.</summary>
    /// <returns>Whether its Request is queued, so that this caller sends the Cancel.</returns>
    public bool NoteGivenUp()
    {
        lock (_gate)
        {
            _isGivenUp = true;
            return _isQueued;
        }
    }
}
