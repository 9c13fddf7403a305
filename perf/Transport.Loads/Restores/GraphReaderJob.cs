using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Pipes;
using System.Text;
using System.Threading.Tasks;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Loads.TaskHosts;
using Transport.Loads.Workers;

namespace Transport.Loads.Restores;

/// <summary>The reading side in a process of its own. Orders: <c>read ADDRESS…</c>: responds the sum of all items; <c>peak</c>.</summary>
internal sealed class GraphReaderJob : IJob
{
    private readonly string _column;

    /// <param name="column">One of <see cref="GraphColumn"/>.</param>
    public GraphReaderJob(string column) => _column = column;

    public string Run(string[] order) => order[0] == "peak" ? ProcessState.PeakBytes().ToString(CultureInfo.InvariantCulture)
        : (_column == Column.Transport ? ReadItems(order[1..]) : ReadWhole(order[1])).ToString(CultureInfo.InvariantCulture);

    public void Dispose()
    {
        // Each order closes what it has opened.
    }

    /// <summary>Items are taken one by one, and none is kept.</summary>
    private static long ReadItems(string[] words)
    {
        long sum = 0;
        var over = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        Link link = Link.ConnectAsync(WireEndpoint.Parse(words[0]), LinkSecret.Parse(words[1])).GetAwaiter().GetResult();
        int items = 0;
        link.Start(new PacketRouter()
            .On<GraphItem>(item =>
            {
                sum += RestoreGraph.SumOf(item.Spec, item.Metadata);
                items++;
            })
            .On<GraphEnd>(end => over.SetResult(end.Items)));
        int sent = over.Task.GetAwaiter().GetResult();
        if (sent != items)
        {
            throw new LoadException($"{items} items came of {sent}.");
        }

        link.Completion.GetAwaiter().GetResult();
        return sum;
    }

    /// <summary>The packet becomes one object with all items, as MSBuild makes it.</summary>
    private long ReadWhole(string name)
    {
        using var pipe = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.Asynchronous);
        pipe.Connect(10_000);
        byte[] header = new byte[sizeof(int)];
        pipe.ReadExactly(header);
        int length = BitConverter.ToInt32(header);
        Stream body = _column switch
        {
            GraphColumn.Buffer1K => new BufferedStream(pipe, 1 << 10),
            GraphColumn.Buffer64K => new BufferedStream(pipe, 64 << 10),
            _ => WholeBody(pipe, length),
        };
        var items = new List<(string Spec, Dictionary<string, string> Metadata)>();
        using (var reader = new BinaryReader(body, Encoding.UTF8))
        {
            int count = reader.ReadInt32();
            for (int i = 0; i < count; i++)
            {
                items.Add((reader.ReadString(), HostBinary.ReadMap(reader)));
            }
        }

        long sum = 0;
        items.ForEach(item => sum += RestoreGraph.SumOf(item.Spec, item.Metadata));
        return sum;
    }

    private static MemoryStream WholeBody(Stream pipe, int length)
    {
        byte[] bytes = new byte[length];
        pipe.ReadExactly(bytes);
        return new MemoryStream(bytes);
    }
}
