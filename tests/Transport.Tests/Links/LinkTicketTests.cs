using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Links;

internal sealed class LinkTicketTests
{
    private const int Rounds = 300_000;

    [Test]
    public void Who_waits_for_a_link_may_stop_waiting_and_the_ticket_stays_valid()
    {
        var ticket = new LinkTicket("w1", static _ => { });
        using var stop = new CancellationTokenSource();
        Task<Link> given = ticket.WaitForLinkAsync(stop.Token);
        Task<Link> waiting = ticket.WaitForLinkAsync();
        stop.Cancel();
        Assert.That(async () => await given.Within("the wait that was given up"), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(waiting.IsCompleted, Is.False);
        Assert.That(((ITicket)ticket).TryClaim(), Is.True, "somebody may still connect");
        ((ITicket)ticket).Unclaim(spent: false);
        ticket.Cancel();
        Assert.That(async () => await waiting.Within("the other wait"), Throws.InstanceOf<OperationCanceledException>());
    }

    /// <summary>Two connections show the same secret: one fails its handshake again and again, the other gets to its Welcome.</summary>
    [Test]
    public async Task A_handshake_that_fails_never_frees_the_ticket_that_another_connection_has_spent()
    {
        var ticket = new LinkTicket("w1", static _ => { });
        bool over = false;
        Task failing = WireReading.OnThread(() =>
        {
            while (!Volatile.Read(ref over))
            {
                if (((ITicket)ticket).TryClaim())
                {
                    ((ITicket)ticket).Unclaim(spent: false);
                }
            }
        });
        int spent = 0, freed = 0;
        var watch = Stopwatch.StartNew();
        for (int i = 0; i < Rounds || (spent == 0 && watch.Elapsed < WithinExtensions.Bound); i++)
        {
            if (((ITicket)ticket).TryClaim())
            {
                bool mine = ((ITicket)ticket).TrySpend();
                spent += mine ? 1 : 0;
                freed += mine && ((ITicket)ticket).TryClaim() ? 1 : 0;
                ((ITicket)ticket).Unclaim(mine);
            }
        }

        Volatile.Write(ref over, true);
        await failing.Within("the other connection");
        Assert.That(spent, Is.GreaterThan(0));
        Assert.That(freed, Is.Zero, $"of {spent} times");
    }
}
