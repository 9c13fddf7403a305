using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Chaos.Ledgers;
using Transport.Chaos.Packets;

namespace Transport.Chaos.Workers;

/// <summary>One worker process: several producers send what they can, and every fate of a packet goes into the book at once.</summary>
internal static class WorkerProgram
{
    private const int Left = 3;
    private static readonly TimeSpan NoteEvery = TimeSpan.FromMilliseconds(5);

    public static async Task<int> RunAsync(string[] args)
    {
        WorkerPlan plan = WorkerPlan.Parse(args);
        var ledger = new LedgerFile(plan.Ledger);
        var book = new ReceivedBook(plan.Worker, plan.Incarnation);
        PacketRouter router = new PacketRouter().OnRaw(Parcel.Type.Id, packet =>
        {
            book.Take(packet);
            ledger.Set(LedgerPage.Received, book.Packets);
        });
        var options = new LinkOptions
        {
            Node = FormattableString.Invariant($"w{plan.Worker}.{plan.Incarnation}"),
            MaxQueuedBytes = plan.MaxQueuedBytes,
            Heartbeat = { PingInterval = Soaking.Soak.PingInterval, SilenceTimeout = Soaking.Soak.SilenceTimeout },
            CloseTimeout = Soaking.Soak.CloseTimeout,
        };
        if (Environment.GetEnvironmentVariable("TRANSPORT_TAIL") is { Length: > 0 } tail)
        {
            TailCopy.Keep(tail, plan.Ledger);
        }

        Link link = await WorkerHost.ConnectAsync(router, new WorkerHostOptions { Link = options });
        var noting = new Thread(() => NoteUntilTheEnd(link, ledger)) { IsBackground = true };
        noting.Start();
        using var stop = new CancellationTokenSource();
        var payloads = new Payloads(plan.Seed);
        Task producing = Task.WhenAll(Enumerable.Range(0, LedgerPage.Producers)
            .Select(number => Task.Run(() => new Producer(number, plan, link, ledger, payloads).RunAsync(stop.Token))));
        Task life = plan.End == ChosenEnd.None ? Task.Delay(Timeout.Infinite, stop.Token) : Task.Delay(plan.LifeMs, stop.Token);
        if (await Task.WhenAny(life, link.Completion) == life)
        {
            switch (plan.End)
            {
                case ChosenEnd.Leave:
                    Native.Leave(Left);
                    break;
                case ChosenEnd.Fault:
                    Native.Fault();
                    break;
                case ChosenEnd.Cut:
                    Native.ShutDownSockets();
                    break;
                case ChosenEnd.Close:
                    await stop.CancelAsync();
                    await producing;
                    _ = link.CloseAsync("the worker is done");
                    break;
            }
        }

        LinkEnd end = await link.Completion;
        await stop.CancelAsync();
        await producing;
        foreach (string wrong in book.Wrong)
        {
            Console.WriteLine("BROKEN " + wrong);
        }

        noting.Join();
        Note(end.Receipt, ledger);
        ledger.Set(LedgerPage.CleanEnd, end.IsClean ? 1 : 0);
        return end.IsClean ? 0 : 4;
    }

    private static void NoteUntilTheEnd(Link link, LedgerFile ledger)
    {
        while (!SpinWait.SpinUntil(() => link.Completion.IsCompleted, NoteEvery))
        {
            Note(link.Receipt, ledger);
        }
    }

    /// <summary>Writes down what the link knows to be written and handled.</summary>
    private static void Note(LinkReceipt receipt, LedgerFile ledger)
    {
        ledger.Set(LedgerPage.Sent, receipt.Sent);
        ledger.Set(LedgerPage.Acknowledged, receipt.Acknowledged);
        ledger.Set(LedgerPage.ReceiptDropped, receipt.Dropped);
    }
}
