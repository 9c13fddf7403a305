using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.TaskHosts;

/// <summary>The task hosts, in one process: each takes a request, logs, and responds. Orders: <c>begin</c>: a round begins;
/// <c>address</c>; <c>peak</c>: the most memory that was resident at once.</summary>
internal sealed class HostJob : IJob
{
    private readonly HostTraffic _traffic = new();
    private readonly List<IDisposable> _held = [];
    private readonly string _address;

    /// <param name="column">One of <see cref="HostColumn"/>.</param>
    /// <param name="hosts">How many hosts.</param>
    public HostJob(string column, int hosts) => _address = column switch
    {
        HostColumn.Tables or Column.Transport => Listen(hosts, useTables: column == HostColumn.Tables),
        HostColumn.Bare => Words(hosts, ListenBare),
        _ => Words(hosts, _ => ListenPipe(HostColumn.PipeBuffer(column))),
    };

    public string Run(string[] order) => order[0] switch
    {
        "address" => _address,
        "peak" => ProcessState.PeakBytes().ToString(CultureInfo.InvariantCulture),
        _ => string.Empty,
    };

    public void Dispose() => _held.ForEach(one => one.Dispose());

    private static string Words(int count, Func<int, string> make) => string.Join(' ', Enumerable.Range(0, count).Select(make));

    private string Listen(int hosts, bool useTables)
    {
        LinkListener listener = LinkListener.Start(WireKind.UnixSocket, new LinkOptions { UseTables = useTables });
        _held.Add(new Listening(listener));
        return $"{listener.Endpoint} " + Words(hosts, i =>
        {
            LinkTicket ticket = listener.Expect($"host{i}");
            _ = ServeAsync(ticket);
            return ticket.Secret.Reveal();
        });
    }

    private async Task ServeAsync(LinkTicket ticket)
    {
        Link link = await ticket.WaitForLinkAsync().ConfigureAwait(false);
        link.Start(new PacketRouter().On<HostRequest>(request =>
        {
            // A host has one request at a time, so its queue has room for what belongs to it.
            bool isQueued = true;
            for (int i = 0; i < _traffic.LogsOf(request.Number); i++)
            {
                isQueued &= link.TrySend(_traffic.Log(request.Number, i)) == SendResult.Queued;
            }

            if (!isQueued || link.TrySend(_traffic.Response(request.Number)) != SendResult.Queued)
            {
                throw new LoadException($"The link did not take what belongs to request {request.Number}.");
            }
        }));
    }

    private string ListenPipe(int buffer)
    {
        NamedPipeServerStream pipe = LocalPipe.Listen(out string name, buffer);
        _ = Task.Run(() =>
        {
            pipe.WaitForConnection();
            var end = new PipeEnd(pipe, (own, packet) => Answer(own.Send, ((HostRequest)packet).Number));
            lock (_held)
            {
                _held.Add(end);
            }
        });
        return name;
    }

    private void Answer(Action<object> send, int number)
    {
        for (int i = 0; i < _traffic.LogsOf(number); i++)
        {
            send(_traffic.Log(number, i));
        }

        send(_traffic.Response(number));
    }

    private string ListenBare(int host)
    {
        Socket listening = LocalSocket.Listen(out string path);
        new Thread(() => ServeBare(listening)) { IsBackground = true }.Start();
        return path;
    }

    private void ServeBare(Socket listening)
    {
        using var end = new BareEnd(LocalSocket.Accept(listening));
        try
        {
            while (true)
            {
                Answer(end.Send, ((HostRequest)end.Receive()).Number);
            }
        }
        catch (IOException)
        {
            // The node has gone.
        }
    }

    private sealed class Listening(LinkListener listener) : IDisposable
    {
        public void Dispose() => listener.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }
}
