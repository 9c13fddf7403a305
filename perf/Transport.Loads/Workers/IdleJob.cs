using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Loads.Measuring;

namespace Transport.Loads.Workers;

/// <summary>A main node in a process of its own, so that nothing else is in its memory. Orders: <c>expect N</c>, <c>drain</c>: wait until
/// all links have ended, <c>measure MS SETTLE</c>: watch for so many milliseconds, after so many in which what has just connected comes to
/// rest.</summary>
internal sealed class IdleJob : IJob
{
    private readonly LinkListener _listener = LinkListener.Start(WireKind.UnixSocket);
    private readonly List<Task<Link>> _links = [];
    private readonly ManualResetEventSlim _never = new();

    public string Run(string[] order)
    {
        int Number(int at) => int.Parse(order[at], CultureInfo.InvariantCulture);
        return order[0] switch
        {
            "expect" => Expect(Number(1)),
            "drain" => Drain(),
            _ => Measure(Number(1), Number(2)),
        };
    }

    public void Dispose()
    {
        _listener.DisposeAsync().AsTask().GetAwaiter().GetResult();
        _never.Dispose();
    }

    /// <summary>Answers the endpoint and a secret for each link.</summary>
    private string Expect(int count)
    {
        var words = new List<string> { _listener.Endpoint.ToString() };
        for (int i = 0; i < count; i++)
        {
            LinkTicket ticket = _listener.Expect($"worker{_links.Count}");
            words.Add(ticket.Secret.Reveal());
            _links.Add(StartAsync(ticket));
        }

        return string.Join(' ', words);
    }

    private string Drain()
    {
        foreach (Task<Link> link in _links)
        {
            link.GetAwaiter().GetResult().Completion.GetAwaiter().GetResult();
        }

        _links.Clear();
        return string.Empty;
    }

    /// <summary>Answers private bytes, managed bytes, threads, how often a thread went to sleep in so many milliseconds, and threads of the
    /// runtime's pool, which are not among the others.</summary>
    private string Measure(int ms, int settle)
    {
        Task.WhenAll(_links).GetAwaiter().GetResult();
        _never.Wait(settle);
        long own = ProcessState.PrivateBytesHeld();
        long managed = GC.GetTotalMemory(forceFullCollection: false);
        Dictionary<string, long> before = ProcessState.Sleeps();
        _never.Wait(ms);
        long sleeps = ProcessState.Sleeps().Sum(thread => thread.Value - before.GetValueOrDefault(thread.Key));
        (int threads, int pool) = ProcessState.Threads();
        return string.Create(CultureInfo.InvariantCulture, $"{own} {managed} {threads - pool} {sleeps} {pool}");
    }

    private static async Task<Link> StartAsync(LinkTicket ticket)
    {
        Link link = await ticket.WaitForLinkAsync().ConfigureAwait(false);
        link.Start(new PacketRouter());
        return link;
    }
}
