using System;
using System.Threading;
using BuildHarness.Packets;
using Transport.Links;
using Transport.Packets;
using Transport.Receiving;
using Transport.Sending;

namespace BuildHarness.Collecting;

/// <summary>One worker's end at the main node: takes its packets off the receive loop at once, and sees that it keeps within its window.</summary>
/// <param name="collection">Takes what comes.</param>
/// <param name="name">The worker's name.</param>
/// <param name="window">What it is granted.</param>
internal sealed class NodeOutputs(Collection collection, string name, int window)
{
    private long _held;
    private int _returned;
    private OutputTurn? _turn;
    private Link? _link;

    public string Name => name;

    /// <summary>Gets what its packets that wait here take of the window.</summary>
    public long Held => Interlocked.Read(ref _held);

    /// <summary>Gets the taker of its files; for the collector's thread alone.</summary>
    public OutputTaker Taker { get; } = new(name);

    /// <summary>Says what it is given to build; before it is told.</summary>
    public void Begin(OutputTurn turn) => Volatile.Write(ref _turn, turn);

    /// <summary>Grants the whole window, over a link that is there now.</summary>
    public void Connected(Link link)
    {
        Volatile.Write(ref _link, link);
        Send(OutputCredit.PacketType, new OutputCredit(window));
    }

    public PacketRouter AddTo(PacketRouter router) => router
        .On(OutputFileBegin.PacketType, begin => Take(begin, begin.Project, CollectWindow.CostOf(begin.Path)))
        .OnRaw(OutputFileBytes.PacketType.Id, packet => TakeBytes(packet.Body.Span))
        .On(OutputFileEnd.PacketType, end => Take(end, project: null, CollectWindow.CostOf(end)))
        .On(OutputsEnd.PacketType, end => Take(end, end.Project, CollectWindow.CostOf(end)));

    /// <summary>Its link has ended: what it left half done is dropped, behind all that it sent.</summary>
    public void Ended() => collection.Add(new Arrival(this, Turn: null, Packet: null, Block: null, 0, 0));

    /// <summary>Answers the end of a project's outputs.</summary>
    public void Answer(int project) => Send(OutputsTaken.PacketType, new OutputsTaken(project));

    /// <summary>Gives back what a packet took; granted anew in quarters, so that the answers are few. For the collector's thread.</summary>
    public void Release(int cost)
    {
        Interlocked.Add(ref _held, -cost);
        _returned += cost;
        if (_returned >= window / 4)
        {
            Send(OutputCredit.PacketType, new OutputCredit(_returned));
            _returned = 0;
        }
    }

    /// <summary>Sends what the worker waits for. Where there is no room it goes once there is: nothing that comes later would make up for it, because until then the worker may send nothing.</summary>
    /// <remarks>Few can wait: what is granted is given back first, and a project has one answer.</remarks>
    private void Send<T>(PacketType<T> type, T packet)
    {
        // Most often there is room, and no task is made.
        Link? link = Volatile.Read(ref _link);
        if (link?.Send(type, packet) == SendResult.Full)
        {
            _ = link.SendAsync(type, packet).AsTask();
        }
    }

    private void Take(object packet, int? project, int cost)
    {
        OutputTurn? turn = Volatile.Read(ref _turn);
        if (turn is null || (project is { } said && said != turn.Project))
        {
            collection.Fail($"{name} sent outputs of a project that it was not given.");
            return;
        }

        if (Hold(cost))
        {
            collection.Add(new Arrival(this, turn, packet, Block: null, 0, cost));
        }
    }

    private void TakeBytes(ReadOnlySpan<byte> body)
    {
        // By hand, because the formatter would allocate each chunk anew.
        var reader = new MessagePackReader(body);
        reader.ReadArrayHeader(atLeast: 1);
        ReadOnlySpan<byte> bytes = reader.ReadBin();
        int cost = CollectWindow.CostOf(bytes.Length);
        if (!Hold(cost))
        {
            return;
        }

        byte[] block = collection.Blocks.Rent(bytes.Length);
        bytes.CopyTo(block);
        collection.Add(new Arrival(this, Volatile.Read(ref _turn), Packet: null, block, bytes.Length, cost));
    }

    private bool Hold(int cost)
    {
        if (Interlocked.Add(ref _held, cost) <= window)
        {
            return true;
        }

        collection.Fail($"{name} sent more outputs at once than it was granted.");
        return false;
    }
}
