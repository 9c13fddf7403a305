using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Transport.Links;
using Transport.Loads.Measuring;
using Transport.Receiving;

namespace Transport.Loads.Workers;

/// <summary>A main node in a process of its own, so that nothing else is in its memory. Orders: <c>expect N</c>, <c>measure MS SETTLE</c>: watch for so many milliseconds, after so many in which what has just connected comes to rest.</summary>
internal sealed class IdleJob : IJob
{
    private readonly LinkListener _listener = LinkListener.Start("unix");
    private readonly List<Task<Link>> _links = [];
    private readonly ManualResetEventSlim _never = new();

    public string Run(string[] order)
    {
        int number = int.Parse(order[1], CultureInfo.InvariantCulture);
        return order[0] == "expect" ? Expect(number) : Measure(number, int.Parse(order[2], CultureInfo.InvariantCulture));
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

    /// <summary>Answers private bytes, managed bytes, threads, and how often a thread went to sleep in so many milliseconds.</summary>
    private string Measure(int ms, int settle)
    {
        Task.WhenAll(_links).GetAwaiter().GetResult();
        _never.Wait(settle);
        long managed = GC.GetTotalMemory(forceFullCollection: true);
        long own = ProcessState.PrivateBytes();
        long sleeps = ProcessState.Sleeps();
        _never.Wait(ms);
        sleeps = ProcessState.Sleeps() - sleeps;
        return string.Create(CultureInfo.InvariantCulture, $"{own} {managed} {ProcessState.Threads()} {sleeps}");
    }

    private static async Task<Link> StartAsync(LinkTicket ticket)
    {
        Link link = await ticket.Link.ConfigureAwait(false);
        link.Start(new PacketRouter());
        return link;
    }
}
