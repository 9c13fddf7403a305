using System;
using System.Buffers;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.AllocationHelper;

/// <summary>Streams packets of 256 bytes within this process, which does nothing else, and prints how many bytes were allocated for each in the steady state.</summary>
internal static class Program
{
    private const int WarmUp = 300_000;
    private const int Measured = 1_000_000;

    private static async Task<int> Main(string[] args)
    {
        await using LinkListener listener = LinkListener.Start(args[0]);
        LinkTicket ticket = listener.Expect("n1");
        Link worker = await Link.ConnectAsync(listener.Endpoint, ticket.Secret).ConfigureAwait(false);
        Link main = await ticket.WaitForLinkAsync().ConfigureAwait(false);
        int received = 0;
        using var reached = new SemaphoreSlim(0);
        using var full = new ManualResetEventSlim();
        main.Start(new PacketRouter().OnRaw(1024, _ =>
        {
            // The first one waits until the queue is full: from then on the pool has every segment that there can be.
            full.Wait();
            if (++received is WarmUp or (WarmUp + Measured))
            {
                reached.Release();
            }
        }));
        worker.Start(new PacketRouter());
        var type = new PacketType<byte[]>(1024, "Bytes", new BytesFormatter());
        byte[] body = new byte[256];
        (body[0], body[1], body[2]) = (0xc5, 0, 253);

        int sent = 0;
        while (worker.TrySend(type, body) == SendResult.Queued)
        {
            sent++;
        }

        full.Set();
        Stream(worker, type, body, WarmUp - sent);
        await reached.WaitAsync().ConfigureAwait(false);
        long before = GC.GetTotalAllocatedBytes(precise: true);
        Stream(worker, type, body, Measured);
        await reached.WaitAsync().ConfigureAwait(false);
        long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        Console.WriteLine(((double)allocated / Measured).ToString("0.000", CultureInfo.InvariantCulture));
        LinkEnd end = await worker.CloseAsync().ConfigureAwait(false);

        // Not IsComplete: one send was refused, to know that the queue is full.
        return end.Receipt.Acknowledged == end.Receipt.Sent && end.Receipt.Sent == WarmUp + Measured ? 0 : 1;
    }

    private static void Stream(Link worker, PacketType<byte[]> type, byte[] body, int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (worker.Send(type, body, TimeSpan.FromSeconds(30)) != SendResult.Queued)
            {
                throw new InvalidOperationException("The link takes nothing.");
            }
        }
    }

    private sealed class BytesFormatter : IPacketFormatter<byte[]>
    {
        public void Write(IBufferWriter<byte> output, byte[] packet)
        {
            packet.CopyTo(output.GetSpan(packet.Length));
            output.Advance(packet.Length);
        }

        public byte[] Read(in ReadOnlySequence<byte> body) => body.ToArray();
    }
}
