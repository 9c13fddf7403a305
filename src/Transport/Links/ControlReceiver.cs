using System;
using System.Collections.Generic;
using System.IO;

namespace Transport;

/// <summary>What the peer's control packets do to a link. On the receive thread.</summary>
internal sealed class ControlReceiver(
    object link, SendQueue queue, ILinkEvents flow, AckLedger acks, AckWaits waits, LaneAcknowledgments acknowledgments, PeerLosses losses,
    HandlerCalls calls, Requests requests, StopRequest stop, bool isMain, PacketLevel level) : IReceiveSink
{
    private readonly object _gate = new();   // around the next four; taken alone
    private LevelRules _levels = new(level);
    private bool _isInLevelChanged;
    private long? _peerQueuedBytes;
    private long _askedSince;

    /// <summary>Occurs if the peer changes which log events it wants.</summary>
    public event EventHandler<LevelRules>? LevelsChanged;

    /// <summary>Gets which log events the peer wants.</summary>
    public LevelRules Levels => Read(ref _levels);

    /// <summary>Gets a value indicating whether <see cref="LevelsChanged"/> is being called.</summary>
    public bool IsInLevelChanged => Read(ref _isInLevelChanged);

    /// <summary>Gets the bytes that wait at the peer, as it said last; null if it has not.</summary>
    public long? PeerQueuedBytes => Read(ref _peerQueuedBytes);

    /// <summary>Gets since when a Ping has not been answered, as the clock's timestamp; 0 if none is open.</summary>
    public long AskedSince => Read(ref _askedSince);

    /// <summary>Sends a Ping. Noted before it is sent: the answer may be faster than this thread.</summary>
    /// <param name="id">Its number.</param>
    /// <param name="now">The clock's timestamp.</param>
    public void Ping(long id, long now)
    {
        bool first;
        lock (_gate)
        {
            first = _askedSince == 0;
            _askedSince = first ? now : _askedSince;
        }

        bool isSent = false;
        try
        {
            isSent = queue.Control.TrySend(ControlType.Ping, output => ControlBody.WritePing(output, id, queue.QueuedBytes));
        }
        finally
        {
            if (!isSent && first)
            {
                Write(ref _askedSince, 0);
            }
        }
    }

    void IReceiveSink.OnAckDue(long handled) => queue.Control.Acknowledge(handled);

    void IReceiveSink.OnRequestPacket(ushort type, Lane lane, ReadOnlyMemory<byte> body) => requests.OnPacket(type, lane, body);

    bool IReceiveSink.OnEndOfStream(bool inside, IOException? broken) => flow.OnEndOfStream(inside, broken);

    void IReceiveSink.OnStoreFailed(Exception cause) => flow.Report(LinkEvent.HandlerFailed, new LinkCause(
        TransportFault.HandlerFailed,
        "What was received could not be flushed by its store (PacketRouter.UseStore) and acknowledged, so nothing more is acknowledged; "
            + ExceptionText.Brief(cause),
        cause));

    void IReceiveSink.OnControl(ushort type, FieldReader fields)
    {
        switch (type)
        {
            case ControlType.Goodbye:
                TakeGoodbye(fields);
                break;
            case ControlType.Ack:
                losses.TakeMisses(new HandlerMisses(fields.NumberOrZero(Field.Unhandled), fields.NumberOrZero(Field.Failed)));
                TakeAck(fields.NumberOrZero(Field.Packets));
                break;
            case ControlType.Ping:
                Write(ref _peerQueuedBytes, fields.NumberOrZero(Field.QueuedBytes));
                Pong(fields.NumberOrZero(Field.Id));
                break;
            case ControlType.Pong:
                Write(ref _peerQueuedBytes, fields.NumberOrZero(Field.QueuedBytes));
                Write(ref _askedSince, 0);
                break;
            case ControlType.SetLevel:
                SetLevel((PacketLevel)fields.NumberOrZero(Field.Level), fields.Levels(Field.Categories));
                break;
            case ControlType.Dropped:
                losses.Take(fields);
                break;
            case ControlType.Stop when !isMain:
                stop.Take(TerminalText.Line(fields.Text(Field.Reason) ?? string.Empty, PeerText.MaxChars));
                break;
        }
    }

    private void TakeAck(long packets)
    {
        bool isMore = acks.Take(packets);
        Write(ref _askedSince, 0);   // as good as a Pong: it reads, and slow handlers hold that up
        acknowledgments.Acknowledged(acks.Acknowledged);
        waits.Look();
        if (isMore && acks.IsComplete)
        {
            flow.Report(LinkEvent.AllAcknowledged);
        }
    }

    /// <summary>A method of its own: what its lambda captures would else be allocated for every control packet.</summary>
    private void Pong(long id) => queue.Control.TrySend(ControlType.Pong, output => ControlBody.WritePing(output, id, queue.QueuedBytes));

    private void TakeGoodbye(FieldReader fields)
    {
        string detail = TerminalText.Line(fields.Text(Field.Detail) ?? string.Empty, PeerText.MaxChars);
        string said = fields.Text(Field.Reason) ?? string.Empty;
        string reason = TerminalText.Line(said, PeerText.MaxChars) + (detail.Length > 0 ? ": " + detail : string.Empty);
        losses.TakeRefused(fields.NumberOrZero(Field.Refused));
        TransportFault fault = FaultNames.Parse(said);
        string why = detail.Length > 0 ? detail : "look at what this side sent, and at the peer's log.";
        flow.TakeGoodbye(
            reason,
            fault == TransportFault.None ? null : new LinkCause(fault, $"The peer ended the link with {said}: {why}"));
    }

    private void SetLevel(PacketLevel level, IReadOnlyDictionary<string, PacketLevel>? categories)
    {
        if (isMain)
        {
            return;   // not the connecting side's to say: skipped, as what is unknown on lane 0
        }

        var levels = LevelRules.Received(level, categories);
        Write(ref _levels, levels);
        Write(ref _isInLevelChanged, true);
        calls.Enter();
        try
        {
            LevelsChanged?.Invoke(link, levels);
        }
        catch (Exception e)
        {
            throw PacketHandler.Failed("SetLevel (8)", e);
        }
        finally
        {
            calls.Leave();
            Write(ref _isInLevelChanged, false);
        }
    }

    private T Read<T>(ref T field)
    {
        lock (_gate)
        {
            return field;
        }
    }

    private void Write<T>(ref T field, T value)
    {
        lock (_gate)
        {
            field = value;
        }
    }
}
