using System;
using System.Globalization;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.TestHost.Journals;

/// <summary><c>journal-allocations HOW DIR</c>: appends packets of 256 bytes within this process, which does nothing else, and prints how
/// many bytes were allocated for each in the steady state.</summary>
/// <remarks>
/// The least of three parts: what is allocated for packets is in each of them, but the journal makes a batch of 256 KiB, of the few that it
/// keeps, whenever one more is under way than ever before, and that may come late.
/// </remarks>
internal static class JournalAllocations
{
    private const int WarmUp = 3000;
    private const int Parts = 3;
    private const int Measured = 4000;   // in each part

    // so many times more where nothing is synced: the warm-up fills the queue, and what the runtime itself allocates is small beside it
    private const int Times = 40;
    private const int Together = 16;

    private static readonly JournalNode Node = new("n1");

    public static async Task<int> RunAsync(string[] args)
    {
        string directory = args[2];
        JournalSync sync = args[1] is "queued" or "waiting" ? JournalSync.None : JournalSync.GroupCommit;
        JournalOptions options = new JournalOptions { Sync = sync, SegmentBytes = 256 << 20 };
        await using PacketJournal journal = PacketJournal.Open(directory, options);
        byte[] body = new byte[256];
        var pending = new ValueTask<long>[Together];
        int times = sync == JournalSync.None ? Times : 1;
        await AppendAllAsync(args[1], journal, body, pending, WarmUp * times).ConfigureAwait(false);
        long least = long.MaxValue;
        for (int part = 0; part < Parts; part++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            await AppendAllAsync(args[1], journal, body, pending, Measured * times).ConfigureAwait(false);
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        Console.WriteLine(((double)least / (Measured * times)).ToString("0.000", CultureInfo.InvariantCulture));
        return journal.Appended == (WarmUp + (Parts * Measured)) * times ? 0 : 1;
    }

    private static Task AppendAllAsync(string how, PacketJournal journal, byte[] body, ValueTask<long>[] pending, int count) => how switch
    {
        "async" => AppendAsync(journal, body, pending, count),
        "queued" => QueueAsync(journal, body, count),
        _ => Wait(journal, body, count),
    };

    private static Task Wait(PacketJournal journal, byte[] body, int count)
    {
        for (int i = 0; i < count; i++)
        {
            _ = journal.Append(Node, 1024, body);
        }

        return Task.CompletedTask;
    }

    private static async Task AppendAsync(PacketJournal journal, byte[] body, ValueTask<long>[] pending, int count)
    {
        for (int i = 0; i < count; i += Together)
        {
            int some = Math.Min(Together, count - i);
            for (int j = 0; j < some; j++)
            {
                pending[j] = journal.AppendAsync(Node, 1024, body);
            }

            for (int j = 0; j < some; j++)
            {
                _ = await pending[j].ConfigureAwait(false);
            }
        }
    }

    private static async Task QueueAsync(PacketJournal journal, byte[] body, int count)
    {
        long last = 0;
        for (int i = 0; i < count; i++)
        {
            while (journal.TryAppend(Node, 1024, body, out last) != SendResult.Queued)
            {
                _ = await journal.CommitAsync(journal.Appended).ConfigureAwait(false);
            }
        }

        _ = await journal.CommitAsync(last).ConfigureAwait(false);
    }
}
