using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Transport.Testing.Buffers;
using Transport.Testing.Links;
using Transport.Testing.Wires;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending.Schedules;

/// <summary>
/// Runs callers against a queue, its loop and a gated wire, one step at a time. A step is: a caller's call up to where it wakes the loop;
/// that wake; a write that returns; a write that fails. After each step the run waits until the loop stands still, so that the same choices
/// give the same run.
/// </summary>
internal sealed class QueueRun
{
    private const int Large = 300_000;   // two segments

    private static readonly PacketType<int> Type = new(1024, "Number", new NumberFormatter());
    private static readonly TimeSpan HangsAfter = TimeSpan.FromSeconds(30);

    private readonly AccusingPool _pool = new();
    private readonly GatedWire _wire = new();
    private readonly SendQueue _queue;
    private readonly HeldSignal _signal;
    private readonly SendPump _loop;
    private readonly Queue<string>[] _callers;
    private readonly Queue<bool>[] _wakes;
    private readonly List<int>[] _queued = [[], [], [], []];
    private int _calling;
    private int _next;
    private int _drops;
    private int _failures;
    private long _acknowledged;
    private int _controls;
    private bool _completed;   // Complete or Answer came before any Break
    private bool _broken;
    private bool _ended;

    public QueueRun(string[][] callers)
    {
        _callers = [.. callers.Select(calls => new Queue<string>(calls))];
        _wakes = [.. callers.Select(_ => new Queue<bool>())];
        var counters = new LinkCounters();
        _signal = new HeldSignal(counters, now => _wakes[_calling].Enqueue(now));
        _queue = Queues.Make(_pool, 64 << 20, counters, _signal);
        _loop = new SendPump(_queue, _signal, _wire, new WriteEvents { Failed = _ => _failures++ });
        _loop.Start(PumpThread.TryStart("test send")!);
        AwaitStandstill();
    }

    /// <summary>Goes one way to its end.</summary>
    /// <exception cref="InvalidOperationException">What was wrong at its end, or that it hung.</exception>
    public void Play(Schedule schedule)
    {
        try
        {
            List<string> possible;
            while ((possible = Possible()).Count > 0)
            {
                Step(schedule.Choose(possible));
                AwaitStandstill();
            }

            EndDirection();
            Judge();
        }
        finally
        {
            _wire.Dispose();
        }
    }

    private List<string> Possible()
    {
        var possible = new List<string>();
        for (int i = 0; i < _callers.Length; i++)
        {
            if (_wakes[i].Count > 0)
            {
                possible.Add($"{i} wakes");
            }
            else if (_callers[i].Count > 0)
            {
                possible.Add($"{i} {_callers[i].Peek()}");
            }
        }

        if (_wire.IsAtGate)
        {
            possible.Add("write returns");
            possible.Add("write fails");
        }

        return possible;
    }

    private void Step(string step)
    {
        if (step.StartsWith("write", StringComparison.Ordinal))
        {
            _wire.Decide(step == "write returns");
            return;
        }

        _calling = step[0] - '0';
        if (step.EndsWith("wakes", StringComparison.Ordinal))
        {
            _signal.Pass(_wakes[_calling].Dequeue());
            return;
        }

        Call(_callers[_calling].Dequeue());
    }

    private void Call(string call)
    {
        switch (call)
        {
            case "normal":
            case "urgent":
            case "bulk":
                Lane lane = call == "normal" ? Lane.Normal : call == "urgent" ? Lane.Urgent : Lane.Bulk;
                Count(lane, _queue.TrySend(new TypedBody<int>(Type, _next), lane, LanePolicy.Refuse).Result);
                break;
            case "large":
                byte[] body = new byte[Large];
                new NumberFormatter().Fill(body, _next);
                Count(Lane.Bulk, _queue.TrySend(new MemoryBody(Type.Id, body), Lane.Bulk, LanePolicy.Refuse).Result);
                break;
            case "drop":
                _drops += _queue.RefusedFor(Lane.Bulk, PacketLevel.Information, LanePolicy.Drop) == SendResult.Full ? 1 : 0;
                break;
            case "ack":
                _queue.Control.Acknowledge(++_acknowledged);
                break;
            case "ping":
                _controls += _queue.Control.TrySend(ControlType.Ping, static output => ControlBody.WritePing(output, 1, 0)) ? 1 : 0;
                break;
            case "complete":
                _completed |= !_broken;
                _queue.Complete("done");
                break;
            case "answer":
                _completed |= !_broken;
                _queue.Answer(_acknowledged);
                break;
            case "fault":
                _broken = true;
                _queue.Break(FaultNames.ToReason(TransportFault.FrameCorrupt));
                break;
            case "break":
                _broken = true;
                _queue.Break(goodbyeReason: null);
                break;
            default:
                _ended = true;
                _signal.EndNow();
                break;
        }
    }

    private void Count(Lane lane, SendResult result)
    {
        if (result == SendResult.Queued)
        {
            _queued[(int)lane].Add(_next);
        }
        else if (result != SendResult.Closed)
        {
            throw new InvalidOperationException($"A send was answered {result}.");
        }

        _next++;
    }

    private void AwaitStandstill()
    {
        if (!SpinWait.SpinUntil(StandsStill, HangsAfter))
        {
            throw new InvalidOperationException("The loop neither writes what is queued nor ends.");
        }
    }

    /// <summary>It stands in a write, has ended, or sleeps with nothing to do but what a caller has not woken it for yet.</summary>
    private bool StandsStill()
    {
        if (_wire.IsAtGate || _loop.Completion.IsCompleted)
        {
            return true;
        }

        return _signal.IsIdle
            && (_wire.Writer is not { } writer || (writer.ThreadState & (ThreadState.WaitSleepJoin | ThreadState.Stopped)) != 0)
            && (Array.Exists(_wakes, w => w.Count > 0) || !_queue.HasWork());
    }

    /// <summary>As a link does at its end, after a clean one or any other.</summary>
    private void EndDirection()
    {
        if (!_ended)
        {
            _queue.Break(goodbyeReason: null);
            _signal.EndNow();
        }

        _wire.Open();
        if (!SpinWait.SpinUntil(() => _loop.Completion.IsCompleted, HangsAfter))
        {
            throw new InvalidOperationException("The loop did not end.");
        }
    }

    private void Judge()
    {
        _pool.Judge("queue's");
        if (_wire.Fault is not null)
        {
            throw new InvalidOperationException(_wire.Fault);
        }

        List<RawFrame> frames = RawFrame.ParseAll([.. _wire.Bytes().Take((int)_wire.WholeBytes)]);
        string? fault = (_failures != (_wire.HasFailed ? 1 : 0) ? $"the failed write was reported {_failures} times" : null)
            ?? JudgePackets(frames)
            ?? JudgeGoodbye(frames)
            ?? JudgeControl(frames);
        if (fault is not null)
        {
            throw new InvalidOperationException(
                fault + ". On the wire: " + string.Join(" ", frames.Select(f => $"{f.Lane}:{f.Type}{(f.HasMore ? "+" : string.Empty)}")));
        }
    }

    private string? JudgePackets(List<RawFrame> frames)
    {
        int written = 0;
        for (int lane = 1; lane < _queued.Length; lane++)
        {
            var packets = new List<int>();
            var body = new List<byte>();
            foreach (RawFrame frame in frames.Where(f => f.Lane == lane))
            {
                body.AddRange(frame.Body);
                if (!frame.HasMore)
                {
                    if (body.Exists(b => b != body[0]))
                    {
                        return $"packet {body[0]} holds bytes of another";
                    }

                    packets.Add(body[0]);
                    body.Clear();
                }
            }

            if (!packets.SequenceEqual(_queued[lane].Take(packets.Count)))
            {
                return $"lane {lane} should hold {string.Join(" ", _queued[lane])} and holds {string.Join(" ", packets)}";
            }

            written += packets.Count;
        }

        int queued = _queued.Sum(q => q.Count);
        long dropped = _queue.Dropped().Packets - _drops;
        return queued != written + dropped ? $"{queued} queued, {written} written, {dropped} given up"
            : _queue.PacketsWritten != written ? $"{_queue.PacketsWritten} counted as written, not {written}"
            : dropped > 0 && !_broken && !_wire.HasFailed && !_ended ? $"{dropped} given up without a reason"
            : null;
    }

    private string? JudgeGoodbye(List<RawFrame> frames)
    {
        int first = frames.FindIndex(f => f.Lane == 0 && f.Type == RawPeer.Goodbye);
        int count = frames.Count(f => f.Lane == 0 && f.Type == RawPeer.Goodbye);
        bool isDue = _completed && !_broken && !_wire.HasFailed && !_ended;
        return count > 1 || (isDue && count == 0) ? $"{count} times Goodbye"
            : first >= 0 && frames.Skip(first + 1).Any(f => f.Lane != 0 || f.Type is not (RawPeer.Ack or RawPeer.Pong))
                ? "Goodbye is not the last"
            : first >= 0 && (long)frames[first].Map["packets"]! != frames.Take(first).Count(f => f.Lane != 0 && !f.HasMore)
                ? $"Goodbye says {frames[first].Map["packets"]} packets"
            : null;
    }

    private string? JudgeControl(List<RawFrame> frames)
    {
        List<long> acks = [.. frames.Where(f => f.Lane == 0 && f.Type == RawPeer.Ack).Select(f => (long)f.Map["packets"]!)];
        int controls = frames.Count(f => f.Lane == 0 && f.Type == RawPeer.Ping);
        long reported = frames.Where(f => f.Lane == 0 && f.Type == RawPeer.Dropped).Sum(f => (long)f.Map["packets"]!);
        bool isWhole = !_broken && !_wire.HasFailed && !_ended;
        return !acks.SequenceEqual(acks.OrderBy(a => a)) ? "acknowledged backwards: " + string.Join(" ", acks)
            : isWhole && _acknowledged > 0 && acks.LastOrDefault() != _acknowledged
                ? $"acknowledged {acks.LastOrDefault()}, not {_acknowledged}"
            : isWhole && _completed && reported != _drops ? $"{reported} drops reported to the peer, not {_drops}"
            : controls > _controls || (isWhole && controls != _controls) ? $"{controls} control packets written, {_controls} queued"
            : null;
    }

    private sealed class NumberFormatter : IPacketFormatter<int>
    {
        private const int Size = 40;

        public void Fill(byte[] body, int number) => body.AsSpan().Fill((byte)number);

        public void Write(IBufferWriter<byte> output, int packet)
        {
            output.GetSpan(Size).Slice(0, Size).Fill((byte)packet);
            output.Advance(Size);
        }

        public int Read(in ReadOnlySequence<byte> body) => throw new NotSupportedException();
    }

    /// <summary>Keeps what senders signal until its step has come.</summary>
    private sealed class HeldSignal(LinkCounters counters, Action<bool> hold) : SendSignal(counters)
    {
        private bool _passes;

        public override void Set(bool now)
        {
            if (_passes)
            {
                base.Set(now);
            }
            else
            {
                hold(now);
            }
        }

        public void Pass(bool now) => base.Set(now);

        /// <summary>Ends the loop, which signals by itself.</summary>
        public void EndNow()
        {
            _passes = true;
            End();
            _passes = false;
        }
    }
}
