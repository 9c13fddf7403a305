using System;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>The listening side names a peer as its ticket does (n1), not as the peer calls itself (raw).</summary>
internal sealed class LinkNames
{
    [Test]
    public async Task A_stall_and_a_timeout_name_the_peer_as_its_ticket_does()
    {
        var clock = new ManualClock();
        var reported = new TaskCompletionSource<StallReport>(TaskCreationOptions.RunContinuationsAsynchronously);
        var free = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        (RawPeer peer, Link main) = await RawPeer.OpenAsync("memory", options => options.TimeProvider = clock).ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            main.Stalled += (_, report) => reported.TrySetResult(report);
            main.Start(new PacketRouter().OnRawAsync(1024, async _ =>
            {
                began.TrySetResult(true);
                await free.Task.ConfigureAwait(false);
            }));
            peer.Send(2, 1024, Bodies.Value(1L));
            await began.Task.Within("the handler").ConfigureAwait(false);
            clock.Advance(TimeSpan.FromSeconds(12));
            StallReport report = await reported.Task.Within("the report").ConfigureAwait(false);
            Assert.That((report.Node, report.Peer, main.Peer.Node), Is.EqualTo(("main", "n1", "raw")));
            Assert.That(report.ToString(), Does.Contain("n1 waits for main").And.Not.Contain("raw"));
            free.SetResult(true);
            Assert.That(System.Threading.SpinWait.SpinUntil(() => main.Reading.IsWaiting, WithinExtensions.Bound), Is.True,
                "a read is pending");
            clock.Advance(TimeSpan.FromSeconds(40));

            // The last output have a time, too, and it is kept by this clock.
            bool ended = System.Threading.SpinWait.SpinUntil(
                () =>
                {
                    clock.Advance(TimeSpan.FromMilliseconds(100));
                    return main.Completion.IsCompleted;
                },
                WithinExtensions.Bound);
            Assert.That(ended, Is.True, "the end");
            LinkEnd end = await main.Completion.ConfigureAwait(false);
            Assert.That(end.Fault, Is.EqualTo(TransportFault.Timeout));
            Assert.That(end.Reason, Does.StartWith("No frame came from n1 for 30 s").And.EndWith("though this side was reading."));
        }
    }

    [Test]
    public async Task Events_of_a_link_name_the_peer_as_its_ticket_does()
    {
        if (Type.GetType("Mono.Runtime") is not null)
        {
            Assert.Ignore("Mono's EventSource has no listeners.");
        }

        using var events = new Events();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync("memory", options => options.Node = "names-the-peer").ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            main.Abort("for the test");
            await main.Completion.Within("the end").ConfigureAwait(false);
            Assert.That(events.Texts, Has.Some.EqualTo($"names-the-peer n1 {WireKinds.OfMemory}"));
            Assert.That(events.Texts, Has.Some.EqualTo("names-the-peer n1 Aborted for the test"));
        }
    }
}
