using System;
using System.Globalization;
using System.IO;
using System.IO.Pipes;
using System.Text;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Loads.TaskHosts;
using Transport.Loads.Workers;

namespace Transport.Loads.Restores;

/// <summary>The sending side in a process of its own. Orders: <c>address</c>; <c>send N</c>: sends a graph of so many items, responds the
/// sum of all and the bytes on the wire; <c>peak</c>.</summary>
internal sealed class GraphSenderJob : IJob
{
    private const int PipeBuffer = 1 << 20;

    private readonly LinkListener? _listener;
    private readonly LinkTicket? _ticket;
    private readonly NamedPipeServerStream? _pipe;
    private readonly string _address;

    /// <param name="column">One of <see cref="GraphColumn"/>.</param>
    public GraphSenderJob(string column)
    {
        if (column == Column.Transport)
        {
            _listener = LinkListener.Start(WireKind.UnixSocket);
            _ticket = _listener.Expect("reader");
            _address = $"{_listener.Endpoint} {_ticket.Secret.Reveal()}";
            return;
        }

        _pipe = LocalPipe.Listen(out _address, PipeBuffer);
    }

    public string Run(string[] order) => order[0] switch
    {
        "address" => _address,
        "peak" => ProcessState.PeakBytes().ToString(CultureInfo.InvariantCulture),
        _ => Send(int.Parse(order[1], CultureInfo.InvariantCulture)),
    };

    public void Dispose()
    {
        _pipe?.Dispose();
        _listener?.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    private string Send(int count)
    {
        (long sum, long bytes) = _ticket is null ? SendWhole(count) : SendItems(count);
        return string.Create(CultureInfo.InvariantCulture, $"{sum} {bytes}");
    }

    private (long Sum, long Bytes) SendItems(int count)
    {
        Link link = _ticket!.WaitForLinkAsync().GetAwaiter().GetResult();
        link.Start(new PacketRouter());
        long sum = 0;
        foreach ((string spec, var metadata) in RestoreGraph.Make(count))
        {
            sum += RestoreGraph.SumOf(spec, metadata);
            Expect(link.Send(GraphItem.PacketType, new GraphItem(spec, metadata), TimeSpan.FromMinutes(1)));
        }

        Expect(link.Send(GraphEnd.PacketType, new GraphEnd(count), TimeSpan.FromMinutes(1)));
        link.CloseAsync().GetAwaiter().GetResult();
        return (sum, link.Counters.BytesSent);
    }

    private static void Expect(SendResult result)
    {
        if (result != SendResult.Queued)
        {
            throw new LoadException($"The link did not take an item: {result}.");
        }
    }

    /// <summary>One packet, as MSBuild has it: written into one stream, then a length and all of its bytes.</summary>
    private (long Sum, long Bytes) SendWhole(int count)
    {
        _pipe!.WaitForConnection();
        using var body = new MemoryStream();
        using var writer = new BinaryWriter(body, Encoding.UTF8);
        writer.Write(count);
        long sum = 0;
        foreach ((string spec, var metadata) in RestoreGraph.Make(count))
        {
            sum += RestoreGraph.SumOf(spec, metadata);
            writer.Write(spec);
            HostBinary.Write(writer, metadata);
        }

        writer.Flush();
        _pipe.Write(BitConverter.GetBytes((int)body.Length));
        PipeEnd.WriteAll(_pipe, body);
        return (sum, sizeof(int) + body.Length);
    }
}
