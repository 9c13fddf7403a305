using System.Threading;
using System.Threading.Tasks;

namespace Transport.Nats;

/// <summary>Something that happens again and again, and is waited for. Safe for any thread.</summary>
internal sealed class Signal
{
    private TaskCompletionSource _next = New();   // replaced by exchange

    /// <summary>Gets a task that completes when it happens after this was read.</summary>
    public Task Next => Volatile.Read(ref _next).Task;

    /// <summary>Notes that it has happened.</summary>
    public void Raise() => Interlocked.Exchange(ref _next, New()).TrySetResult();

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
