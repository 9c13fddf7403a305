using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Tool;

/// <summary>What this machine does: tried, each for a moment.</summary>
internal static class Trials
{
    private const ushort Type = 1024;
    private const int Rounds = 2000, Packets = 100_000, PacketBytes = 200, Commits = 200;

    /// <summary>A link in this process: how long a packet takes there and back, and how many go one way.</summary>
    public static async Task<Finding> LinkAsync()
    {
        WireKind kind = OperatingSystem.IsWindows() ? WireKind.NamedPipe : WireKind.UnixSocket;
        try
        {
            await using LinkListener listener = LinkListener.Start(kind);
            LinkTicket ticket = listener.Expect("doctor");
            Task<Link> connecting = Link.ConnectAsync(listener.Endpoint, ticket.Secret);
            await using Link main = await ticket.WaitForLinkAsync().ConfigureAwait(false);
            await using Link worker = await connecting.ConfigureAwait(false);
            using var back = new System.Threading.SemaphoreSlim(0);
            long received = 0;
            var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            byte[] small = [0x2a], body = [0xc4, PacketBytes, .. new byte[PacketBytes]];   // MessagePack: 42, and a bin
            main.Start(new PacketRouter().OnRaw(Type, packet => _ = main.TrySendRaw(Type, small))
                .OnRaw(Type + 1, _ =>
                {
                    if (++received == Packets)
                    {
                        all.TrySetResult();
                    }
                }));
            worker.Start(new PacketRouter().OnRaw(Type, _ => back.Release()));
            var clock = Stopwatch.StartNew();
            for (int i = 0; i < Rounds; i++)
            {
                _ = await worker.SendRawAsync(Type, small).ConfigureAwait(false);
                await back.WaitAsync().ConfigureAwait(false);
            }

            double round = clock.Elapsed.TotalMicroseconds / Rounds;
            clock.Restart();
            for (int i = 0; i < Packets; i++)
            {
                _ = await worker.SendRawAsync(Type + 1, body).ConfigureAwait(false);
            }

            await all.Task.ConfigureAwait(false);
            return new Finding("a link in this process", string.Create(CultureInfo.InvariantCulture,
                $"{round:0} us there and back, {Packets / clock.Elapsed.TotalSeconds:N0} packets of {PacketBytes} bytes a second"));
        }
        catch (TransportException e)
        {
            return new Finding("a link in this process", "none", e.Message);
        }
    }

    /// <summary>A journal of one producer that waits for each record.</summary>
    /// <param name="backEnd">How it writes.</param>
    /// <param name="folder">Where.</param>
    public static async Task<Finding> JournalAsync(JournalBackEnd backEnd, string folder)
    {
        string what = $"journal by {(backEnd == JournalBackEnd.Uring ? "io_uring" : "write and sync")}";
        string directory = Path.Combine(folder, Path.GetRandomFileName());
        try
        {
            var options = new JournalOptions { BackEnd = backEnd, SegmentBytes = 1 << 20 };
            var times = new double[Commits];
            await using (PacketJournal journal = PacketJournal.Open(directory, options))
            {
                var node = new JournalNode("doctor");
                byte[] body = [0x2a];
                for (int i = 0; i < Commits; i++)
                {
                    long start = Stopwatch.GetTimestamp();
                    await journal.AppendAsync(node, Type, body).ConfigureAwait(false);
                    times[i] = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
                }
            }

            Array.Sort(times);
            return new Finding(what, string.Create(CultureInfo.InvariantCulture, $"a durable record takes {times[Commits / 2]:0.00} ms at "
                + $"the median, {times[Commits * 99 / 100]:0.00} ms at the 99th percentile, in {folder}"));
        }
        catch (JournalException e)
        {
            return new Finding(what, "not to be had: " + e.Message);
        }
        finally
        {
            TryRemove(directory);
        }
    }

    private static void TryRemove(string directory)
    {
        try
        {
            Directory.Delete(directory, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A megabyte in a temporary folder, which the system removes.
        }
    }
}
