using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Transport.Nats;

/// <summary>One request of this side, until it has its answer or is given up. Safe for any thread.</summary>
internal sealed class RemoteRequest
{
    /// <summary>How many reports wait to be read; the oldest give way.</summary>
    private const int MostReports = 16;

    private readonly Lock _gate = new();   // over the fields below; nobody is called while it is held
    private readonly List<string> _names = [];
    private readonly HashSet<Guid> _agents = [];
    private readonly TaskCompletionSource<byte[]> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Channel<byte[]>? _reports;
    private readonly RemotePoolOptions _options;
    private Guid _answering;                   // the agent whose parts are put together
    private WorkOutcome? _outcome;
    private ArrayBufferWriter<byte>? _parts;
    private int _nextPart;
    private ulong _sequence;                   // by Volatile, outside of the lock
    private int _queued;                       // by Interlocked

    /// <summary>Initializes a new instance of the <see cref="RemoteRequest"/> class.</summary>
    /// <param name="item">What is asked.</param>
    /// <param name="options">The pool's.</param>
    public RemoteRequest(WorkItem item, RemotePoolOptions options)
    {
        (Item, _options) = (item, options);
        Asked = options.TimeProvider.GetTimestamp();
        _reports = !item.WantsProgress ? null : Channel.CreateBounded<byte[]>(
            new BoundedChannelOptions(MostReports) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true });
    }

    /// <summary>Gets what is asked.</summary>
    public WorkItem Item { get; }

    /// <summary>Gets when, as the clock's timestamp.</summary>
    public long Asked { get; }

    /// <summary>Gets the response's bytes.</summary>
    public Task<byte[]> Answer => _answer.Task;

    /// <summary>Gets the reports before the response; null: none are wanted.</summary>
    public ChannelReader<byte[]>? Reports => _reports?.Reader;

    /// <summary>Gets a value indicating whether it has ended without an answer.</summary>
    public bool IsGivenUp => _answer.Task is { IsCompleted: true, IsCompletedSuccessfully: false };

    /// <summary>Gets or sets its number in the queue; 0: it is not known to be there.</summary>
    public ulong Sequence
    {
        get => Volatile.Read(ref _sequence);
        set => Volatile.Write(ref _sequence, value);
    }

    /// <summary>Gets how often it was begun.</summary>
    public int Tries
    {
        get
        {
            lock (_gate)
            {
                return _names.Count;
            }
        }
    }

    /// <summary>Gets the agents that have begun it, but for the one that has answered it.</summary>
    public Guid[] OtherAgents
    {
        get
        {
            lock (_gate)
            {
                return [.. _agents.Where(agent => !_answer.Task.IsCompletedSuccessfully || agent != _answering)];
            }
        }
    }

    /// <summary>Gets where it is, for people.</summary>
    public string Where
    {
        get
        {
            lock (_gate)
            {
                return _names.Count > 0 ? $"it was begun by {string.Join(", then ", _names)}"
                    : Sequence > 0 ? $"no agent of pool {_options.Pool} has begun it" : "the server has not taken it";
            }
        }
    }

    /// <summary>Returns the id under which the server takes it once.</summary>
    public string NewMessageId() => string.Create(
        CultureInfo.InvariantCulture, $"{Words.Of(Item.Id)}.{Interlocked.Increment(ref _queued)}");

    /// <summary>Notes that an agent has it.</summary>
    /// <returns>Whether it may go on; otherwise the request has failed, since it was begun too often.</returns>
    public bool Begin(WorkNews news)
    {
        lock (_gate)
        {
            if (_names.Count < _options.MaxTries)
            {
                _names.Add(news.Name);
                _ = _agents.Add(news.Agent);
                return true;
            }
        }

        string message = $"{Item.Name} was begun {_options.MaxTries} times, and none of the agents has answered: {Where} "
            + "(RemotePoolOptions.MaxTries).";
        Fail(new TransportException(TransportFault.PeerGone, message, new FleetException(FleetFault.TriedTooOften, message)));
        return false;
    }

    /// <summary>Takes a report.</summary>
    public void Report(byte[] report) => _ = _reports?.Writer.TryWrite(report);

    /// <summary>Takes an answer, or a part of one.</summary>
    /// <returns>What to say to the agent.</returns>
    public WorkReply Take(WorkNews news)
    {
        byte[] whole;
        WorkOutcome outcome;
        lock (_gate)
        {
            if (news.Part == 0)
            {
                (_answering, _outcome, _nextPart) = (news.Agent, news.Outcome, 0);
                _parts = news.Parts == 1 ? null : new ArrayBufferWriter<byte>();
            }

            if (_outcome is null || news.Agent != _answering || news.Part != _nextPart || news.Part >= news.Parts)
            {
                return WorkReply.Again;
            }

            _nextPart++;
            _parts?.Write(news.Body);
            int length = _parts?.WrittenCount ?? news.Body.Length;
            outcome = length <= _options.MaxResponseBytes ? _outcome : WorkOutcome.Failed(TransportFault.PacketTooLarge,
                $"The response to {Item.Name} has more than the {_options.MaxResponseBytes} bytes that are taken "
                    + "(RemotePoolOptions.MaxResponseBytes).");
            if (_nextPart < news.Parts && outcome.Fault == _outcome.Fault)
            {
                return WorkReply.Yes;
            }

            whole = _parts?.WrittenSpan.ToArray() ?? news.Body;
            _parts = null;
        }

        if (outcome.Fault == TransportFault.None)
        {
            _ = _answer.TrySetResult(whole);
            _ = _reports?.Writer.TryComplete();
        }
        else
        {
            FleetException? exited = outcome.Report is null ? null : new FleetException(FleetFault.WorkerExited, outcome.Report);
            Fail(new TransportException(outcome.Fault, $"{outcome.Message} (agent {news.Name})", exited));
        }

        return WorkReply.Yes;
    }

    /// <summary>Ends the wait with an exception, if it has not ended.</summary>
    public void Fail(Exception why)
    {
        _ = why is OperationCanceledException cancelled ? _answer.TrySetCanceled(cancelled.CancellationToken)
            : _answer.TrySetException(why);
        _ = _answer.Task.Exception;   // seen, also if nobody waits any more
        _ = _reports?.Writer.TryComplete();
    }
}
