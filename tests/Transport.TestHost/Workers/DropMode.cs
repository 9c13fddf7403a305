using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using Transport.Logging;
using Transport.Testing.Links;

namespace Transport.TestHost.Workers;

/// <summary>
/// A worker whose normal lane drops, that offers packets of every level and keeps a book of its own: what each send has answered, and
/// nothing that the library counts.
/// </summary>
internal static class DropMode
{
    /// <summary>Six log levels, and packets without one.</summary>
    private const int Levels = 7, NoLevel = 6;

    /// <summary>It goes on alone until so many of each level were dropped.</summary>
    private const int DroppedEach = 40;

    private static readonly TimeSpan Standstill = TimeSpan.FromSeconds(1);

    /// <summary>
    /// worker-drop BOOK: offers until each level was dropped often enough and nothing more goes out, makes BOOK.full, goes on until there
    /// is BOOK.go, offers some more, and closes; then BOOK has three lines of seven numbers, by level: queued, dropped (normal lane) and
    /// refused (urgent lane); and one of what its receipt says: sent, acknowledged, dropped; clean or the fault.
    /// </summary>
    public static async Task<int> RunAsync(string[] args)
    {
        string book = args[1];
        var options = new WorkerHostOptions { ExitWithMainNode = false };
        options.Link.MaxQueuedBytes = 64 << 10;
        options.Link.NormalPolicy = LanePolicy.Drop;
        options.Link.UseTables = false;   // entries of tables would be packets too
        Link link = await WorkerHost.ConnectAsync(null, options).ConfigureAwait(false);
        long[] queued = new long[Levels], dropped = new long[Levels], refused = new long[Levels];
        bool reported = false;
        long sent = -1;
        var still = Stopwatch.StartNew();
        for (long serial = 0; !link.Completion.IsCompleted && !(reported && File.Exists(book + ".go")); serial++)
        {
            Offer((int)(serial % Levels), Lane.Normal);
            Offer((int)(serial % 3), Lane.Urgent);
            if (serial % 500 == 0)
            {
                Thread.Yield();
                if (sent != link.Counters.BytesSent)
                {
                    sent = link.Counters.BytesSent;
                    still.Restart();
                }

                // On a busy machine the queue is also full because its pump has not run yet; then the socket still takes all of it.
                if (!reported && still.Elapsed > Standstill && dropped.All(n => n >= DroppedEach) && refused[0] >= DroppedEach)
                {
                    File.WriteAllText(book + ".full", string.Empty);
                    reported = true;
                }
            }
        }

        for (int i = 0; i < 700; i++)
        {
            Offer(i % Levels, Lane.Normal);
        }

        LinkEnd end = await link.CloseAsync(timeout: TimeSpan.FromSeconds(80)).ConfigureAwait(false);
        string Row(params long[] numbers) => string.Join(" ", numbers.Select(n => n.ToString(CultureInfo.InvariantCulture)));
        string receipt = Row(end.Receipt.Sent, end.Receipt.Acknowledged, end.Receipt.Dropped);
        string how = end.IsClean ? "clean" : end.Fault.ToString();
        File.WriteAllLines(book + ".part", [Row(queued), Row(dropped), Row(refused), receipt, how]);
        File.Move(book + ".part", book);
        return 0;

        static LogEvent Event(LogLevel level) =>
            new() { Time = TimeProvider.System.GetUtcNow(), Level = level, Category = "drop", Message = new string('m', 400) };

        void Offer(int level, Lane lane)
        {
            SendResult answer = level == NoLevel
                ? link.TrySend(NumberPacket.Type, 1, lane)
                : link.TrySend(LogEvent.PacketType, Event((LogLevel)level), lane);
            long[]? row = answer switch
            {
                SendResult.Queued => queued,
                SendResult.Full => lane == Lane.Normal ? dropped : refused,
                _ => null,
            };
            if (row is not null)
            {
                row[level]++;
            }
        }
    }
}
