using System;
using System.Threading;
using BuildHarness.Packets;
using Transport;

namespace BuildHarness.Collecting;

/// <summary>One worker's end at the main node: takes its packets off the receive loop at once, and sees that it keeps within its
/// window.</summary>
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

    /// <summary>Reports what it is given to build; before it is sent.</summary>
    public void Begin(OutputTurn turn) => Volatile.Write(ref _turn, turn);

    /// <summary>
    /// Notes that its project is built: no outputs belong to it any more. For a handler of its link, as are those of <see cref="AddTo"/>.
    /// </summary>
    public void Finish() => Volatile.Write(ref _turn, null);

    /// <summary>Grants the whole window, over a link that is there now.</summary>
    public void Connected(Link link)
    {
        Volatile.Write(ref _link, link);
        Send(OutputCredit.PacketType, new OutputCredit(window));
    }

    /// <summary>
    /// Lets a router's packets of outputs be taken here. Those of another project, or of none, end the link: a worker that sends them harms
    /// nobody else's outputs.
    /// </summary>
    public PacketRouter AddTo(PacketRouter router) => router
        .On<OutputFileBegin>(begin => Take(begin, begin.Project, CollectWindow.CostOf(begin.Path)))
        .OnRaw(OutputFileBytes.PacketType.Id, packet => TakeBytes(packet.Body))
        .On<OutputFileEnd>(end => Take(end, project: null, CollectWindow.CostOf(end)))
        .On<OutputsEnd>(end => Take(end, end.Project, CollectWindow.CostOf(end)));

    /// <summary>Its link has ended: what it left half done is dropped, behind all that it sent.</summary>
    public void Ended() => collection.Add(new Arrival(this, Turn: null, Packet: null, Block: null, 0, 0));

    /// <summary>Answers the end of a project's outputs.</summary>
    public void Answer(int project) => Send(OutputsTaken.PacketType, new OutputsTaken(project));

    /// <summary>Returns what a packet took; granted anew in quarters, so that the answers are few. For the collector's thread.</summary>
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

    /// <summary>Sends what the worker waits for. If there is no capacity it goes once there is: nothing that comes later would make up for
    /// it, because until then the worker may send nothing.</summary>
    /// <remarks>Few can wait: what is granted is given back first, and a project has one answer.</remarks>
    private void Send<T>(PacketType<T> type, T packet)
    {
        // Not TrySend first: its Full would count as refused. If there is capacity, which is the usual case, no task is made.
        if (Volatile.Read(ref _link) is { } link)
        {
            _ = link.SendAsync(type, packet);
        }
    }

    private void Take(object packet, int? project, int cost)
    {
        OutputTurn turn = Expect(project);
        Hold(cost);
        collection.Add(new Arrival(this, turn, packet, Block: null, 0, cost));
    }

    private void TakeBytes(ReadOnlySpan<byte> body)
    {
        OutputTurn turn = Expect(project: null);

        // By hand, because the formatter would allocate each chunk anew.
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(atLeast: 1);
        ReadOnlySpan<byte> bytes = reader.ReadBin();
        int cost = CollectWindow.CostOf(bytes.Length);
        Hold(cost);
        byte[] block = collection.Blocks.Rent(bytes.Length);
        bytes.CopyTo(block);
        collection.Add(new Arrival(this, turn, Packet: null, block, bytes.Length, cost));
    }

    /// <exception cref="HarnessException">The worker was given another project, or none.</exception>
    private OutputTurn Expect(int? project)
    {
        OutputTurn? turn = Volatile.Read(ref _turn);
        if (turn is not null && (project ?? turn.Project) == turn.Project)
        {
            return turn;
        }

        string said = project is { } id ? FormattableString.Invariant($"project {id}") : "no project";
        string given = turn is null ? "none" : FormattableString.Invariant($"project {turn.Project}");
        throw new HarnessException($"{name} sent outputs of {said}, but it was given {given}.");
    }

    /// <exception cref="HarnessException">The worker does not keep within its window.</exception>
    private void Hold(int cost)
    {
        if (Interlocked.Add(ref _held, cost) > window)
        {
            throw new HarnessException($"{name} sent more outputs at once than it was granted.");
        }
    }
}
