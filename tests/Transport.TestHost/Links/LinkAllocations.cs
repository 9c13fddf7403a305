using System;
using System.Buffers;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.TestHost.Links;

/// <summary><c>link-allocations WIRE SIZE COUNT</c>: streams packets of a size within this process, which does nothing else, and prints how
/// many bytes were allocated for each in the steady state.</summary>
internal static class LinkAllocations
{
    public static async Task<int> RunAsync(string[] args)
    {
        int size = int.Parse(args[2], CultureInfo.InvariantCulture), measured = int.Parse(args[3], CultureInfo.InvariantCulture);
        int warmUp = measured * 3 / 10;
        await using LinkListener listener = LinkListener.Start(args[1] == "pipe" ? WireKind.NamedPipe : WireKind.UnixSocket);
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
            received++;
            if (received == warmUp || received == warmUp + measured)
            {
                reached.Release();
            }
        }));
        worker.Start(new PacketRouter());
        var type = new PacketType<byte[]>(1024, "Bytes", new BytesFormatter());
        byte[] body = new byte[size];
        (body[0], body[1], body[2]) = (0xc5, (byte)((size - 3) >> 8), (byte)(size - 3));

        int sent = 0;
        while (worker.TrySend(type, body) == SendResult.Queued)
        {
            sent++;
        }

        full.Set();
        Stream(worker, type, body, warmUp - sent);
        await reached.WaitAsync().ConfigureAwait(false);
        long before = GC.GetTotalAllocatedBytes(precise: true);
        Stream(worker, type, body, measured);
        await reached.WaitAsync().ConfigureAwait(false);
        long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        Console.WriteLine(((double)allocated / measured).ToString("0.000", CultureInfo.InvariantCulture));
        LinkEnd end = await worker.CloseAsync().ConfigureAwait(false);

        // Not IsComplete: one send was refused, to know that the queue is full.
        return end.Receipt.Acknowledged == end.Receipt.Sent && end.Receipt.Sent == warmUp + measured ? 0 : 1;
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
