using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;

namespace Transport.Nats;

/// <summary>One request that an agent has, from its delivery to the end. Safe for any thread.</summary>
/// <param name="item">The request.</param>
/// <param name="message">Its message in the queue.</param>
internal sealed class RunningWork(WorkItem item, INatsJSMsg<NatsMemoryOwner<byte>> message)
{
    private readonly CancellationTokenSource _cancelled = new();
    private readonly TaskCompletionSource _answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _isUnwanted;   // by Volatile: set before the token is cancelled, read behind that

    /// <summary>Gets the request.</summary>
    public WorkItem Item => item;

    /// <summary>Gets a value indicating whether it was delivered before: to another agent, or to one of this name.</summary>
    public bool IsRepeated => message.Metadata?.NumDelivered > 1;

    /// <summary>Gets a task that completes once its answer is there, so that its slot is free. It never fails.</summary>
    public Task Answered => _answered.Task;

    /// <summary>Gets a task that completes once it is out of the queue, or back in it. It never fails.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Gets or sets a value indicating whether its caller knows that the agent has it. Of the slot alone.</summary>
    public bool IsTold { get; set; }

    /// <summary>Gets a token that is cancelled once nobody waits for the answer, or the agent ends.</summary>
    public CancellationToken Cancelled => _cancelled.Token;

    /// <summary>Gets a value indicating whether nobody waits for the answer.</summary>
    public bool IsUnwanted => Volatile.Read(ref _isUnwanted) != 0;

    /// <summary>Notes that the answer is there.</summary>
    public void NoteAnswered() => _answered.TrySetResult();

    /// <summary>Notes that it is over.</summary>
    public void NoteEnded()
    {
        NoteAnswered();
        _ended.TrySetResult();
    }

    /// <summary>Cancels it, since nobody waits for the answer.</summary>
    public void NotWanted()
    {
        Volatile.Write(ref _isUnwanted, 1);
        ReceiveContext.CancelOnPool(_cancelled);
    }

    /// <summary>Cancels it, since the agent ends.</summary>
    public void End() => ReceiveContext.CancelOnPool(_cancelled);

    /// <summary>Tells the server that it is in work.</summary>
    public ValueTask GiveSignAsync() => message.AckProgressAsync();

    /// <summary>Takes it out of the queue.</summary>
    public ValueTask DoneAsync() => message.AckAsync();

    /// <summary>Gives it back to the queue, for another agent.</summary>
    public ValueTask GiveBackAsync() => message.NakAsync();
}
