using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>docs/reference/security.md: who holds places in vain keeps nobody out, and no secret is ever shown.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class Trespass(string wire)
{
    [Promise("Trust", "Silent connections cannot keep an invited worker out.")]
    [Test]
    public async Task Silent_connections_cannot_keep_a_real_worker_out()
    {
        const int Places = 8, Silent = 100;
        await using RawPeer peer = await RawPeer.ConnectAsync(wire, o => o.MaxPendingHandshakes = Places);
        var hoard = new List<IWire>();
        try
        {
            for (int i = 0; i < Silent; i++)
            {
                hoard.Add(await peer.AnotherAsync());
            }

            // The oldest go, long before their deadline of 10 s; the first of all was the peer's own.
            for (int i = 0; i <= Silent - Places; i++)
            {
                Assert.That(peer.Refused.TryTake(out RefusedConnection? refused, WithinExtensions.Bound), Is.True, $"{i} were given up");
                Assert.That((refused!.Code, refused.Message.Contains("LinkOptions.MaxPendingHandshakes")),
                    Is.EqualTo(("HandshakeTimeout", true)));
            }

            IWire real = await peer.AnotherAsync();
            byte[] hello = RawFrame.Bytes(0, RawPeer.Hello, RawPeer.HelloBody(peer.Secret));
            real.Write(hello, 0, hello.Length);
            peer.Take(real);
            Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Welcome));
            await peer.Ticket.WaitForLinkAsync().Within("the real worker's link");
        }
        finally
        {
            hoard.ForEach(static one => one.Dispose());
        }
    }

    [Test]
    public async Task No_secret_is_shown_by_any_event_refusal_or_fault()
    {
        byte[] wrong = [.. Enumerable.Range(101, 32).Select(i => (byte)i)];
        using var events = new Events();
        await using RawPeer peer = await RawPeer.ConnectAsync(wire);
        var shown = new ConcurrentQueue<string>();
        peer.Listener.ConnectionRefused += (_, refused) => shown.Enqueue(refused.ToString());
        peer.Send(0, RawPeer.Hello, RawPeer.HelloBody(wrong));
        await peer.ReadToEndAsync();

        LinkSecret bad = LinkSecret.Parse(string.Concat(wrong.Select(b => b.ToString("x2"))));
        TransportException? rejected =
            await Assert.ThrowsAsync<TransportException>(async () => await LinkConnector.ConnectAsync(await peer.AnotherAsync(), bad));
        shown.Enqueue(rejected!.ToString());

        peer.Take(await peer.AnotherAsync());
        peer.Send(0, RawPeer.Hello, RawPeer.HelloBody(peer.Secret));
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Welcome));
        Link link = await peer.Ticket.WaitForLinkAsync().Within("the link");
        peer.SendBytes(RawFrame.Bytes(0, RawPeer.Hello, RawPeer.HelloBody(peer.Secret)));
        link.Start(new Transport.PacketRouter());
        shown.Enqueue((await link.Completion.Within("the end")).ToString());
        foreach (object one in new object[] { peer.Ticket, peer.Ticket.Secret, link, link.Peer, peer.Listener })
        {
            shown.Enqueue(one.ToString()!);
        }

        string all = string.Join("\n", shown.Concat(events.Texts));
        Assert.That(all, Does.Contain("secret").And.Contain("PacketMalformed"), "what was refused is reported");
        foreach (byte[] secret in new[] { wrong, peer.Secret })
        {
            Assert.That(all, Does.Not.Contain(string.Concat(secret.Take(6).Select(b => b.ToString("x2")))).IgnoreCase);
            Assert.That(all, Does.Not.Contain(BitConverter.ToString(secret, 0, 6)).IgnoreCase);
            Assert.That(all, Does.Not.Contain(Convert.ToBase64String(secret, 0, 6)));
        }
    }
}
