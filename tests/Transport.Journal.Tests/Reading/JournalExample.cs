using System;
using System.Buffers;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal.Tests.Reading;

public static class JournalExample
{
    // Creates the journal if it is missing and repairs it after a crash; Recovery.Line describes the repair. One writer at a time.
    public static async Task<long> WriteAsync(string directory, PacketType<string> type, params string[] packets)
    {
        var options = new JournalOptions { SegmentBytes = 1 << 20, MaxBytes = 64 << 20 };
        await using PacketJournal journal = PacketJournal.Open(directory, options);
        if (journal.Recovery.Line is { } line)
        {
            Console.Error.WriteLine(line);
        }

        var node = new JournalNode("n1");              // where packets come from: make one a node, and keep it
        var body = new ArrayBufferWriter<byte>();
        long position = 0;
        foreach (string packet in packets)
        {
            body.Clear();
            type.Formatter.Write(body, packet);        // each packet type has its formatter, written by the generator or by you
            position = await journal.AppendAsync(node, type.Id, body.WrittenSpan);   // it is on the disk, and so is everything before it
        }

        return position;
    }

    // Anybody may read: also while it is written, from another process, and after a crash.
    public static void Read(string directory, PacketType<string> type, long from, Action<long, string> show)
    {
        using JournalReader reader = JournalReader.Open(directory, new JournalReaderOptions
        {
            From = from, Nodes = ["n1"], Types = [type.Id],
        });
        foreach (JournalRecord record in reader)
        {
            show(record.Position, record.Read(type));   // on loan for one turn of the loop: ToArray copies the body
        }

        if (reader.Condition != JournalCondition.Closed)
        {
            Console.Error.WriteLine(reader.Ending);    // where and why it ended
        }
    }

    // Shows packets as they are committed, until the writer has closed the journal or has died.
    public static async Task FollowAsync(
        string directory, PacketType<string> type, Action<long, string> show, CancellationToken cancellation)
    {
        using JournalReader reader = JournalReader.Open(directory, new JournalReaderOptions { Follow = true });
        do
        {
            reader.Read(record => show(record.Position, record.Read(type)));   // a foreach, for asynchronous methods
        }
        while (await reader.WaitAsync(cancellation));
    }

    // Drops the segments of which everything below a position is no longer needed, while appending goes on.
    public static JournalCompaction Forget(PacketJournal journal, long below) =>
        journal.Compact(new JournalRetention { Watermark = below });

    // A main node that keeps what it receives: a packet is acknowledged to the worker once it is in the journal and handled.
    public static PacketRouter Keep(PacketRouter router, PacketJournal journal) => router.UseStore(new JournalPacketStore(journal));
}
