using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.Loads.Events;

namespace Transport.Loads.Journals;

/// <summary>The main node of a sender that spills: comes, goes, and counts what its handlers see.</summary>
internal sealed class SpillMain : IDisposable
{
    private readonly object _gate = new();
    private readonly string _folder;
    private readonly PacketRouter _router;
    private readonly List<Link> _links = [];
    private readonly CancellationTokenSource _over = new();
    private readonly Task _giving;
    private LinkListener? _listener;

    public SpillMain(string folder)
    {
        _folder = folder;
        _router = Receiver.AddTo(new PacketRouter().On(LoadEventFormatter.Type, (one, _) => Take(one)));
        _giving = Task.Run(GiveTicketsAsync);
    }

    public SpillReceiver Receiver { get; } = new();

    /// <summary>Gets the ids that came, in their order; not to be read while links are open.</summary>
    public List<long> Ids { get; } = [];

    /// <summary>Gets how many came although their number had come, or a later one.</summary>
    public long Duplicates { get; private set; }

    /// <summary>The main node is there.</summary>
    public void Arrive()
    {
        lock (_gate)
        {
            _listener = LinkListener.Start(WireKind.UnixSocket);
        }
    }

    /// <summary>It is away, and its links are cut.</summary>
    public void Leave()
    {
        LinkListener? listener;
        Link[] links;
        lock (_gate)
        {
            (listener, _listener) = (_listener, null);
            SpillTicket.Withdraw(_folder);
            links = [.. _links];
            _links.Clear();
        }

        foreach (Link link in links)
        {
            link.Abort("the main node is away");
            link.Completion.GetAwaiter().GetResult();
        }

        listener?.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    public void Dispose()
    {
        _over.Cancel();
        _giving.GetAwaiter().GetResult();
        Leave();
        _over.Dispose();
    }

    private void Take(LoadEvent e)
    {
        if (Ids.Count > 0 && e.Id <= Ids[^1])
        {
            Duplicates++;
        }

        Ids.Add(e.Id);
    }

    private async Task GiveTicketsAsync()
    {
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(5));
        try
        {
            while (await look.WaitForNextTickAsync(_over.Token).ConfigureAwait(false))
            {
                lock (_gate)
                {
                    if (_listener is not null && !SpillTicket.IsThere(_folder))
                    {
                        LinkTicket ticket = _listener.Expect("sender");
                        _ = StartAsync(ticket, _listener);
                        SpillTicket.Put(_folder, _listener.Endpoint, ticket.Secret);
                    }
                }
            }
        }
        catch (OperationCanceledException)
        {
            // No more are wanted.
        }
    }

    private async Task StartAsync(LinkTicket ticket, LinkListener listener)
    {
        try
        {
            Link link = await ticket.WaitForLinkAsync().ConfigureAwait(false);
            lock (_gate)
            {
                if (!ReferenceEquals(listener, _listener))
                {
                    link.Abort("the main node is away");   // it came in just before
                    return;
                }

                _links.Add(link);
            }

            link.Start(_router);
        }
        catch (OperationCanceledException)
        {
            // Nobody came with this one.
        }
    }
}
