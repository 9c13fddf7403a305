using System.Threading;
using BuildHarness.Packets;
using BuildHarness.Planning;
using Transport;

namespace BuildHarness.Building;

/// <summary>One worker process of this machine. Safe from any thread.</summary>
/// <param name="id">The main node's name for it.</param>
internal sealed class FleetNode(string id) : BuildNode(id)
{
    /// <summary>The work of a replay, which has no project.</summary>
    public const int Recording = -1;

    private const int Nothing = -2;

    private volatile WorkerProcess _worker = null!;
    private volatile Link? _link;
    private int _work = Nothing;
    private long _events;
    private long _leftOut;   // by Volatile: written by the link's receive loop alone

    /// <inheritdoc/>
    public override string Where => Id;

    public WorkerProcess Worker
    {
        get => _worker;
        set => _worker = value;
    }

    /// <summary>Gets what stood still on its link.</summary>
    public StallLog Stalls { get; } = new(id);

    /// <summary>Gets or sets the link, or null before there is one.</summary>
    public Link? Link
    {
        get => _link;
        set => _link = value;
    }

    public long Events => Interlocked.Read(ref _events);

    /// <summary>Gets or sets how many events it had not sent by its last result because nobody takes them.</summary>
    public long LeftOut
    {
        get => Volatile.Read(ref _leftOut);
        set => Volatile.Write(ref _leftOut, value);
    }

    public void CountEvent() => Interlocked.Increment(ref _events);

    /// <inheritdoc/>
    public override void Give(PlannedProject project, OutputsWanted wanted)
    {
        Begin(project.Id, project.Title);

        // Never Full: a worker gets one order at a time. Closed: its end is the next that is heard of it.
        _ = Link!.TrySend(BuildProject.PacketType, BuildProject.Of(project, wanted));
    }

    /// <summary>Notes what it is given; before it is sent.</summary>
    /// <param name="work">The project's id in the plan, or <see cref="Recording"/>.</param>
    /// <param name="title">The work's name for people.</param>
    public void Begin(int work, string title)
    {
        _worker.CurrentActivity = title;
        Volatile.Write(ref _work, work);
    }

    /// <summary>
    /// Takes the worker's word that it is done, if this is what it was given. For a handler of its link, which ends if this throws.
    /// </summary>
    /// <exception cref="HarnessException">It was given something else, or nothing, or has said so before.</exception>
    public void Finish(int work)
    {
        int given = Volatile.Read(ref _work);
        if (given == Nothing || given != work)
        {
            throw new HarnessException($"{Id} reports {Name(work)} as done, but it was given {Name(given)}");
        }

        Volatile.Write(ref _work, Nothing);
        _worker.CurrentActivity = null;
    }

    private static string Name(int work) =>
        work == Nothing ? "nothing" : work == Recording ? "a recording" : System.FormattableString.Invariant($"project {work}");
}
