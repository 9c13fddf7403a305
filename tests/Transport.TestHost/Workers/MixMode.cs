using System;
using System.Globalization;
using System.IO;
using System.IO.MemoryMappedFiles;
using System.Threading;
using System.Threading.Tasks;
using Transport.Testing.Links;

namespace Transport.TestHost.Workers;

/// <summary>
/// A worker that sends a mixture of packets and keeps a book beside the library, in a mapped file that outlives it: how many sends were
/// tried, and how many answered Queued.
/// </summary>
internal static class MixMode
{
    /// <summary>worker-mix BOOK COUNT SEED CLEAN|STAY [MALFORMED]: numbers with a handler, numbers without one, and at most one malformed
    /// one; then closes, or stays until it is killed.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        int count = Number(args[2]);
        var dice = new Random(Number(args[3]));
        int malformed = args.Length > 5 ? Number(args[5]) : -1;
        var options = new WorkerHostOptions { ExitWithMainNode = false };
        options.Link.MaxQueuedBytes = 64 << 10;   // all of it fits a tail
        options.Link.UseTables = false;   // entries of tables would be packets too
        using var file = MemoryMappedFile.CreateFromFile(args[1], FileMode.Open);
        using MemoryMappedViewAccessor book = file.CreateViewAccessor(0, 16);
        Link link = await WorkerHost.ConnectAsync(null, options).ConfigureAwait(false);
        long tried = 0, queued = 0;
        for (int i = 0; i < count && !link.Completion.IsCompleted; i++)
        {
            bool ignored = dice.Next(4) == 0;
            book.Write(0, ++tried);
            SendResult answer = i == malformed ? link.TrySendRaw(NumberPacket.Type.Id, [0xc0], Lane.Normal)
                : link.TrySend(ignored ? NumberPacket.Ignored : NumberPacket.Type, i);
            if (answer != SendResult.Queued)
            {
                book.Write(0, --tried);
                if (answer == SendResult.Closed)
                {
                    break;
                }

                await Task.Delay(1).ConfigureAwait(false);   // the queue is full: the main node is slow
                continue;
            }

            book.Write(8, ++queued);
        }

        if (args[4] == "CLEAN")
        {
            await link.CloseAsync().ConfigureAwait(false);
            return 0;
        }

        Console.WriteLine("sent");
        await Console.Out.FlushAsync().ConfigureAwait(false);
        await new TaskCompletionSource<bool>().Task.ConfigureAwait(false);
        return 0;
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
