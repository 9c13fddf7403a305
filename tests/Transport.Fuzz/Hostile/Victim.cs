using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Testing;

namespace Transport.Fuzz.Hostile;

/// <summary>The main node that is attacked, in a process of its own: one real worker at a <see cref="MainNode"/>, and a listener that hands
/// out tickets to hostile workers.</summary>
/// <remarks>Standard input: "ticket" gives a secret, "stop" ends the real worker, "quit" ends. What it says on standard output is read by
/// <see cref="HostileRun"/>.</remarks>
internal sealed class Victim
{
    public const int MaxPacket = 1 << 20;

    private readonly ConcurrentDictionary<string, int> _refused = new();
    private readonly ConcurrentDictionary<string, int> _ended = new();
    private long _received;
    private long _wrong;

    public static Task<int> RunAsync() => new Victim().ServeAsync();

    /// <summary>The defaults but for times, so that the run is short, and for two sizes: a listener's pool keeps up to twice what may be
    /// queued and 4 MiB.</summary>
    private static LinkOptions Options() => new()
    {
        HandshakeTimeout = TimeSpan.FromSeconds(1), CloseTimeout = TimeSpan.FromSeconds(2), MaxPacketBytes = MaxPacket,
    };

    private static void Say(string text)
    {
        Console.Out.WriteLine(text);
        Console.Out.Flush();
    }

    private async Task<int> ServeAsync()
    {
        await using MainNode main = MainNode.Start(new MainNodeOptions { Link = Options() });
        main.ConnectionRefused += (_, e) => Count(e);
        await using LinkListener doors = LinkListener.Start(WireKind.UnixSocket, Options());
        doors.ConnectionRefused += (_, e) => Count(e);
        WorkerProcess worker = main.StartWorker(
            WorkerStartOptions.ForThisProgram("hostile-worker").With(new PacketRouter().On(Numbers.Stream, (number, _) => Take(number)),
            line => Say("worker " + line.Text)));
        Link link = await worker.WaitForLinkAsync().ConfigureAwait(false);
        Say($"listening {main.Endpoint.Address} {doors.Endpoint.Address} {worker.ProcessId}");
        while (await Console.In.ReadLineAsync().ConfigureAwait(false) is { } line && line != "quit")
        {
            if (line == "ticket")
            {
                Say("ticket " + Issue(doors));
            }
            else if (line == "count")
            {
                Say($"count {Volatile.Read(ref _received)}");
            }
            else if (line == "stop")
            {
                _ = await link.SendAsync(Numbers.Stop, 0).ConfigureAwait(false);
                WorkerExit end = await worker.WaitForExitAsync().ConfigureAwait(false);
                Say($"ledger received {_received} wrong {_wrong} peer-sent {end.Link?.Receipt.PeerSent} cause {end.Cause}");
                Say("refused " + string.Join(", ", _refused.OrderByDescending(c => c.Value).Select(c => $"{c.Key} {c.Value}")));
                Say("links " + string.Join(", ", _ended.OrderByDescending(c => c.Value).Select(c => $"{c.Key} {c.Value}")));
            }
        }

        return 0;
    }

    private void Take(long number)
    {
        if (number != _received + 1)
        {
            _wrong++;
        }

        Volatile.Write(ref _received, number);
    }

    private void Count(RefusedConnection connection) => _refused.AddOrUpdate(connection.Code, 1, static (_, n) => n + 1);

    private string Issue(LinkListener doors)
    {
        LinkTicket ticket = doors.Expect("hostile");
        _ = FollowAsync(ticket);
        return ticket.Secret.Reveal();
    }

    /// <summary>Serves a hostile worker as any other: its log events are read, its requests answered.</summary>
    private async Task FollowAsync(LinkTicket ticket)
    {
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(20));
        using CancellationTokenRegistration registration = limit.Token.Register(ticket.Cancel);
        try
        {
            Link link = await ticket.WaitForLinkAsync().ConfigureAwait(false);
            link.Start(new PacketRouter()
                .On<Logging.LogEvent>(static _ => { })
                .OnRaw(512, static packet => _ = packet.Body)
                .OnRequest(Numbers.Stop, Numbers.Stop, static (number, _) => Task.FromResult(number)));
            LinkEnd end = await link.Completion.ConfigureAwait(false);
            _ended.AddOrUpdate(end.Fault.ToString(), 1, static (_, n) => n + 1);
        }
        catch (OperationCanceledException)
        {
            _ended.AddOrUpdate("never connected", 1, static (_, n) => n + 1);
        }
    }
}
