using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Items and credit by a peer that writes the bytes itself.</summary>
internal sealed class RawStreams
{
    private const int Request = 272, Answer = 273, Cancel = 274, Item = 275, Credit = 276;

    /// <summary>The item "a" of request 1; it costs 34.</summary>
    private static readonly byte[] OneItem = [0x92, 1, 0xc4, 2, 0xa1, (byte)'a'];

    [Test]
    public async Task An_item_beyond_the_credit_ends_the_link_and_one_that_uses_it_up_does_not([Values] bool isBeyond)
    {
        (RawPeer peer, Link main) = await OpenAsync(o => o.StreamWindowBytes = 1024);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        IAsyncEnumerator<string> reader = main.RequestStreamAsync(TestPackets.Text, TestPackets.Text, "?").GetAsyncEnumerator();
        ValueTask<bool> first = reader.MoveNextAsync();
        RawFrame asked = (await peer.ReadUntilAsync(Request)).Last();
        Assert.That(asked.Body.Skip(asked.Body.Length - 3), Is.EqualTo(new byte[] { 0xcd, 4, 0 }), "credit of 1,024");
        int allowed = (1024 / 34) + 1;
        for (int i = 0; i < allowed + (isBeyond ? 1 : 0); i++)
        {
            peer.Send(2, Item, OneItem);
        }

        Assert.That(await first.AsTask().Within("the first item"), Is.True);
        if (!isBeyond)
        {
            Assert.That((await peer.ReadUntilAsync(RawPeer.Ack)).Last().Map["packets"], Is.AtLeast(1));
            Assert.That(main.State(), Is.EqualTo(LinkState.Open));
            for (int i = 1; i < allowed; i++)
            {
                Assert.That(await reader.MoveNextAsync().AsTask().Within("an item"), Is.True);
            }

            Assert.That((await peer.ReadUntilAsync(Credit)).Last().Body.Take(2), Is.EqualTo(new byte[] { 0x92, 1 }));
            return;
        }

        LinkEnd end = await main.Completion.Within("the end");
        Assert.That((end.Fault, end.Reason), Is.EqualTo((TransportFault.PacketMalformed,
            "The peer sent an Item (275) without credit: it must wait for Credit (276).")));
    }

    [Test]
    public async Task An_item_for_a_request_that_grants_no_credit_ends_the_link()
    {
        (RawPeer peer, Link main) = await OpenAsync();
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Task<string> asked = main.RequestAsync(TestPackets.Text, TestPackets.Text, "?");
        await peer.ReadUntilAsync(Request);
        peer.Send(2, Item, OneItem);
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That((end.Fault, end.Reason), Is.EqualTo(
            (TransportFault.PacketMalformed, "The peer sent an Item (275) for request 1, which grants no credit.")));
        Assert.That(async () => await asked, Throws.InstanceOf<TransportException>());
    }

    [Test]
    public async Task What_is_late_or_for_nobody_is_skipped()
    {
        (RawPeer peer, Link main) = await OpenAsync();
        await using RawPeer rawPeer = peer;
        var last = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        main.Start(new PacketRouter().OnRaw(2000, _ => last.SetResult(true)));
        peer.Send(2, Item, OneItem);
        peer.Send(1, Credit, [0x92, 1, 0xcf, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        await foreach (string item in EarlyAsync())
        {
            Assert.That(item, Is.EqualTo("a"));
            break;
        }

        Assert.That((await peer.ReadUntilAsync(Cancel)).Last().Body, Is.EqualTo(new byte[] { 0x91, 1 }));
        peer.Send(2, Item, OneItem);
        peer.Send(2, Answer, [0x94, 1, 2, 0xc0, 0xc0]);
        peer.Send(2, 2000, [0xc0]);
        Assert.That(await last.Task.Within("the packet behind them"), Is.True);
        Assert.That(main.State(), Is.EqualTo(LinkState.Open));

        async IAsyncEnumerable<string> EarlyAsync()
        {
            IAsyncEnumerator<string> reader = main.RequestStreamAsync(TestPackets.Text, TestPackets.Text, "?").GetAsyncEnumerator();
            await using (reader)
            {
                ValueTask<bool> next = reader.MoveNextAsync();
                await peer.ReadUntilAsync(Request);
                peer.Send(2, Item, OneItem);
                Assert.That(await next.AsTask().Within("an item"), Is.True);
                yield return reader.Current;
            }
        }
    }

    [Test]
    public async Task No_item_is_sent_without_credit_and_one_for_each_that_is_granted()
    {
        (RawPeer peer, Link main) = await OpenAsync();
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter().OnRequestStream(TestPackets.Text, TestPackets.Text, (_, _) => EndlessAsync()));
        byte[] question = Bodies.Value("?");
        peer.Send(2, Request, [0x96, 1, 0xcd, 4, 1, 0xc4, (byte)question.Length, .. question, 0xc0, 0xc0, 0]);
        for (int i = 0; i < 3; i++)
        {
            peer.Send(1, Credit, [0x92, 1, 1]);
            List<RawFrame> frames = await peer.ReadUntilAsync(Item);
            Assert.That(frames.Count(f => f.Type == Item), Is.EqualTo(1));
            peer.Send(1, Credit, [0x92, 1, 33]);   // an item costs 34, of which 1 was granted
        }

        peer.Send(1, Cancel, [0x91, 1]);
        List<RawFrame> rest = await peer.ReadUntilAsync(Answer);
        Assert.That(rest.Last().Body.Take(3), Is.EqualTo(new byte[] { 0x94, 1, 2 }), "cancelled");
        Assert.That(rest.Count(f => f.Type == Item), Is.Zero);

        static async IAsyncEnumerable<string> EndlessAsync()
        {
            while (true)
            {
                yield return "a";
                await Task.CompletedTask;
            }
        }
    }

    [Test]
    public async Task A_peer_that_knows_no_streams_is_not_asked_for_one_and_asked_without_progress()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(WireKinds.Unix);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        TransportException? refused = null;
        try
        {
            await foreach (string unused in main.RequestStreamAsync(TestPackets.Text, TestPackets.Text, "?"))
            {
                Assert.Fail("an item came");
            }
        }
        catch (TransportException e)
        {
            refused = e;
        }

        Assert.That((refused?.Fault, refused?.Message), Is.EqualTo((TransportFault.RequestFailed,
            "Text (1025) was not asked: the peer's version knows no streams (the capability `streams`).")));
        Task<LinkStreams.Told> asked = main.RequestAsync(
            new LinkStreams.Ask("?"), new Progress<LinkStreams.Step>(_ => Assert.Fail("a report came")));
        Assert.That((await peer.ReadUntilAsync(Request)).Last().Body[0], Is.EqualTo(0x94), "no credit");
        peer.Send(2, Answer, [0x94, 1, 0, 0xc4, 3, 0x91, 0xa1, (byte)'b', 0xc0]);
        Assert.That((await asked.Within("the answer")).Text, Is.EqualTo("b"));
    }

    private static Task<(RawPeer Peer, Link Main)> OpenAsync(Action<LinkOptions>? options = null) =>
        RawPeer.OpenAsync(WireKinds.Unix, options, "streams");
}
