using System;
#if COUNT_MOVES
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Files;
using Transport.Journal;
using Transport.Loads.Events;
using Transport.Loads.Scratch;
#endif

namespace Transport.Loads.Commands;

/// <summary><c>moves</c>: how often each byte of a packet, of a journal's record and of a written file is read and written by this library
/// and the kernel, stage by stage. Needs a build that counts: eng/count-moves.sh makes one.</summary>
internal static class MovesCommand
{
    public const string Word = "moves";

#if COUNT_MOVES
    private const int Together = 50;   // records of an append

    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    public static int Run()
    {
        RunAsync().GetAwaiter().GetResult();
        return 0;
    }

    private static async Task RunAsync()
    {
        Console.WriteLine("times that each byte is read and written; of a packet on the wire, of a record's body, of a file");
        using var scratch = new ScratchFolder("moves", ScratchPath.Disk);
        await SayAsync("event of 256 B, crash tail on", () => EventsAsync(100_000)).ConfigureAwait(false);
        await SayAsync("packet of 1 MB, bytes, crash tail on", () => BodiesAsync(200)).ConfigureAwait(false);
        foreach (JournalBackEnd backEnd in (JournalBackEnd[])[JournalBackEnd.Write, JournalBackEnd.Uring])
        {
            string folder = Path.Combine(scratch.Location, backEnd.ToString());
            await SayAsync($"record of 256 B, back end {backEnd}", () => Task.FromResult(Records(folder, backEnd, 100_000)))
                .ConfigureAwait(false);
        }

        Task<long> Files(string name, FileIo io, int files, int bytes, bool streams) =>
            FilesAsync(Path.Combine(scratch.Location, name), io, files, bytes, streams);
        await SayAsync("file of 2 KB", () => Files("small", FileIo.Stream, 5_000, 2_048, false)).ConfigureAwait(false);
        await SayAsync("file of 1 MB", () => Files("large", FileIo.Stream, 100, 1 << 20, false)).ConfigureAwait(false);
        await SayAsync("file of 1 MB from a stream", () => Files("streamed", FileIo.Stream, 100, 1 << 20, true)).ConfigureAwait(false);
        await SayAsync("file of 1 MB, mapped", () => Files("mapped", FileIo.Mmap, 100, 1 << 20, false)).ConfigureAwait(false);
    }

    /// <param name="what">What is counted.</param>
    /// <param name="work">Does it; gives the bytes that it is about.</param>
    private static async Task SayAsync(string what, Func<Task<long>> work)
    {
        ByteMoves.Counts.Clear();
        double bytes = await work().ConfigureAwait(false);
        Console.WriteLine();
        Console.WriteLine(what);
        foreach ((string stage, long[] moved) in ByteMoves.Counts.OrderBy(stage => stage.Key, StringComparer.Ordinal))
        {
            Console.WriteLine(FormattableString.Invariant($"  {stage,-62}{moved[0] / bytes,7:0.00}{moved[1] / bytes,7:0.00}"));
        }

        double read = ByteMoves.Counts.Values.Sum(m => m[0]), written = ByteMoves.Counts.Values.Sum(m => m[1]);
        Console.WriteLine(FormattableString.Invariant($"  {"all",-62}{read / bytes,7:0.00}{written / bytes,7:0.00}"));
    }

    private static Task<long> EventsAsync(int count)
    {
        var catalog = new EventCatalog();
        return LinkedAsync(count, router => router.On(LoadEventFormatter.Type, static (_, _) => { }),
            (link, i) => link.TrySend(LoadEventFormatter.Type, catalog.Make(EventCatalog.FirstId + i)));
    }

    private static Task<long> BodiesAsync(int count)
    {
        byte[] body = new byte[1_000_000];
        (body[0], body[1], body[2], body[3], body[4]) = (0xc6, 0, 0x0f, 0x42, 0x3b);   // bin 32 of the rest
        return LinkedAsync(count, router => router.OnRaw(1024, static _ => { }), (link, _) => link.TrySendRaw(1024, body));
    }

    private static async Task<long> LinkedAsync(int count, Action<PacketRouter> handle, Func<Link, int, SendResult> send)
    {
        using TailFile file = WorkerTail.TryCreate("worker", 1 << 20)!;
        LinkListener listener = LinkListener.Start(WireKind.UnixSocket);
        await using (listener.ConfigureAwait(false))
        {
            LinkTicket ticket = listener.Expect("worker");
            Link worker = await LinkConnector.ConnectAsync(listener.Endpoint, ticket.Secret, new LinkOptions(),
                WorkerTail.TryOpen("worker", file.Path), CancellationToken.None).ConfigureAwait(false);
            Link main = await ticket.WaitForLinkAsync().ConfigureAwait(false);
            var router = new PacketRouter();
            handle(router);
            main.Start(router);
            worker.Start(new PacketRouter());
            for (int i = 0; i < count;)
            {
                if (send(worker, i) == SendResult.Queued)
                {
                    i++;
                }
                else if (!await worker.WaitForAcknowledgedAsync().WaitAsync(s_limit).ConfigureAwait(false))
                {
                    throw new LoadException("The link has ended.");
                }
            }

            LinkEnd end = await worker.CloseAsync().ConfigureAwait(false);
            return end.IsClean ? worker.Counters.BytesSent : throw new LoadException(end.ToString());
        }
    }

    private static long Records(string folder, JournalBackEnd backEnd, int count)
    {
        var node = new JournalNode("n1");
        byte[] body = new byte[256];
        using PacketJournal journal = PacketJournal.Open(folder, new JournalOptions { BackEnd = backEnd, SegmentBytes = 64 << 20 });
        JournalPacket[] packets = [.. Enumerable.Repeat(new JournalPacket(node, 1024, body), Together)];
        for (int i = 0; i < count; i += packets.Length)
        {
            journal.Append(packets);
        }

        return (long)count * body.Length;
    }

    private static async Task<long> FilesAsync(string folder, FileIo io, int files, int bytes, bool streams)
    {
        byte[] content = new byte[bytes];
        FileOutput output = FileOutput.Publish(folder, new FileOutputOptions { Io = io });
        await using (output.ConfigureAwait(false))
        {
            for (int i = 0; i < files; i++)
            {
                string path = FormattableString.Invariant($"d{i / 100}/f{i}");
                if (streams)
                {
                    using var source = new MemoryStream(content);
                    output.Write(path, source);
                }
                else
                {
                    output.Write(path, content);
                }
            }

            await output.CompleteAsync().ConfigureAwait(false);
        }

        return (long)files * bytes;
    }
#else
    public static int Run() => throw new LoadException("This build does not count; eng/count-moves.sh makes one that does, and runs it.");
#endif
}
