using System;
using System.Globalization;

namespace Transport.Chaos.Workers;

/// <summary>What a worker process is to do, on its command line.</summary>
/// <param name="Ledger">Its book.</param>
/// <param name="Worker">Which worker it is.</param>
/// <param name="Incarnation">Which process of that worker.</param>
/// <param name="Seed">Of its decisions.</param>
/// <param name="End">What it does at the end of its life, of its own accord.</param>
/// <param name="LifeMs">When that is, in ms after it has its link.</param>
/// <param name="MaxQueuedBytes">The budget of its link.</param>
/// <param name="Largest">The most bytes of a packet's payload.</param>
internal sealed record WorkerPlan(string Ledger, int Worker, int Incarnation, int Seed, ChosenEnd End, int LifeMs, long MaxQueuedBytes,
    int Largest = Packets.Payloads.Largest)
{
    public string[] ToArguments() =>
    [
        "worker", Ledger, Text(Worker), Text(Incarnation), Text(Seed), End.ToString(), Text(LifeMs), Text(MaxQueuedBytes), Text(Largest),
    ];

    public static WorkerPlan Parse(string[] args) =>
        new(args[1], (int)Number(args[2]), (int)Number(args[3]), (int)Number(args[4]), Enum.Parse<ChosenEnd>(args[5]), (int)Number(args[6]),
            Number(args[7]), (int)Number(args[8]));

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);
}

/// <summary>What a worker does at the end of its life.</summary>
internal enum ChosenEnd
{
    /// <summary>Nothing: it goes on until its link ends or it is killed.</summary>
    None,

    /// <summary>Closes its link.</summary>
    Close,

    /// <summary>Shuts its sockets down, under the link's feet.</summary>
    Cut,

    /// <summary>Ends its process in the middle of everything, with exit code 3.</summary>
    Leave,

    /// <summary>Faults in native code: SIGSEGV.</summary>
    Fault,
}
