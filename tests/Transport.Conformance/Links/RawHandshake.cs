using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>PROTOCOL.md, "Handshake", by a worker that writes the bytes itself.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class RawHandshake(string wire)
{
    private static readonly byte[] WrongSecret = new byte[32];

    private static IEnumerable<TestCaseData> Rejected()
    {
        // Each has everything wrong that is checked later, too.
        TestCaseData Row(string name, string code, string? field, Func<byte[], byte[]> bytes) =>
            new TestCaseData(code, field, bytes).SetArgDisplayNames(name);
        yield return Row("Ping first", "malformed", "type", _ => RawFrame.Bytes(0, 6, Bodies.Map(("id", 1))));
        yield return Row("a packet first", "malformed", "type", _ => RawFrame.Bytes(2, 2000, [0xc0]));
        yield return Row("Hello that is an array", "malformed", "body", _ => RawFrame.Bytes(0, 1, [0x90]));
        yield return Row("Hello cut short", "malformed", "body", _ =>
            RawFrame.Bytes(0, 1, RawPeer.HelloBody(WrongSecret).AsSpan(0, 30).ToArray()));
        yield return Row("no min", "malformed", "min", _ =>
            RawFrame.Bytes(0, 1, Bodies.Map(("protocol", "x"), ("max", 1), ("secret", WrongSecret))));
        yield return Row("min as text", "malformed", "body", _ =>
            RawFrame.Bytes(0, 1, Bodies.Map(("protocol", "x"), ("min", "1"), ("max", 1), ("secret", WrongSecret))));
        yield return Row("a secret of 31 bytes", "malformed", "body", _ => RawFrame.Bytes(0, 1, RawPeer.HelloBody(new byte[31], "x")));
        yield return Row("a node name with a space", "malformed", "body", _ =>
            RawFrame.Bytes(0, 1, Bodies.Map(("protocol", "x"), ("min", 1), ("max", 1), ("secret", WrongSecret), ("node", "a b"))));
        yield return Row("names as a list", "malformed", "body", s => RawFrame.Bytes(0, 1, Bodies.Map(
            ("protocol", "x"), ("min", 1), ("max", 1), ("secret", WrongSecret), ("names", new object?[] { "x" }))));
        yield return Row("a name of 129 characters", "malformed", "body", s => RawFrame.Bytes(0, 1, Bodies.Map(
            ("protocol", "x"), ("min", 1), ("max", 1), ("secret", WrongSecret), ("names", Names(1, 129)))));
        yield return Row("129 names", "malformed", "body", s => RawFrame.Bytes(0, 1, Bodies.Map(
            ("protocol", "x"), ("min", 1), ("max", 1), ("secret", WrongSecret), ("names", Names(129, 1)))));
        yield return Row("a wrong secret", "secret", "secret", _ => RawFrame.Bytes(0, 1, RawPeer.HelloBody(WrongSecret, "x", 2, 3)));
        yield return Row("another protocol", "protocol", "protocol", s => RawFrame.Bytes(0, 1, RawPeer.HelloBody(s, "smtp", 2, 3)));
        yield return Row("a later version", "version", "version", s => RawFrame.Bytes(0, 1, RawPeer.HelloBody(s, "transport", 2, 3)));
        yield return Row("a range that is none", "version", "version", s => RawFrame.Bytes(0, 1, RawPeer.HelloBody(s, "transport", 2, 1)));
    }

    private static Dictionary<int, object?> Names(int count, int length) =>
        Enumerable.Range(1024, count).ToDictionary(type => type, object? (_) => new string('x', length));

    [TestCaseSource(nameof(Rejected))]
    public async Task The_first_check_that_fails_answers_and_the_secret_stays_good(string code, string? field, Func<byte[], byte[]> bytes)
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(wire);
        peer.SendBytes(bytes(peer.Secret));
        List<RawFrame> answer = await peer.ReadToEndAsync();
        Assert.That(answer.Select(f => f.Type), Is.EqualTo(new[] { RawPeer.Reject }));
        Dictionary<string, object?> reject = answer[0].Map;
        Assert.That((reject["code"], reject["field"]), Is.EqualTo(((object)code, (object?)field)));
        Assert.That(reject["message"], Is.Not.Empty);
        Assert.That(reject["yours"] is null, Is.EqualTo(code == "secret" || field == "body" || field == "min"));
        Assert.That(peer.Refused.TryTake(out RefusedConnection? refused, WithinExtensions.Bound), Is.True);
        Assert.That(refused!.Code, Is.EqualTo(code));
        await WelcomeAsync(peer);
    }

    [Test]
    public async Task A_stranger_is_rejected_by_identity_before_anything_is_read()
    {
        using var inner = new MemoryWireListener("strangers");
        await using var listener = new LinkListener(new StrangerListener(inner));
        listener.Expect("n1");
        using IWire stranger = inner.Connect();
        RawFrame reject = RawFrame.ParseAll(await stranger.ReadToEndAsync()).Single();
        Assert.That((reject.Map["code"], reject.Map["yours"], reject.Map["ours"]),
            Is.EqualTo(((object)"identity", (object?)null, (object?)null)));
    }

    [Test]
    public async Task A_full_main_node_is_busy_and_the_secret_stays_good()
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(wire, o => o.MaxLinks = 1);
        LinkTicket second = peer.Listener.Expect("n2");
        byte[] hello = RawFrame.Bytes(0, 1,
            RawPeer.HelloBody([.. Enumerable.Range(0, 32).Select(i => Convert.ToByte(second.Secret.Reveal().Substring(2 * i, 2), 16))]));
        Link first = await WelcomeAsync(peer);
        using (IWire other = await peer.AnotherAsync())
        {
            other.Write(hello, 0, hello.Length);
            Assert.That(RawFrame.ParseAll(await other.ReadToEndAsync()).Single().Map["code"], Is.EqualTo("busy"));
        }

        first.Abort("make capacity");
        await first.Completion.Within("the first link's end");
        Assert.That(SpinWait.SpinUntil(() => peer.Listener.Links == 0, WithinExtensions.Bound), Is.True);
        using IWire again = await peer.AnotherAsync();
        again.Write(hello, 0, hello.Length);
        Link link = await second.WaitForLinkAsync().Within("the link");
        link.Abort("done");
        await link.Completion.Within("its end");
    }

    [TestCase("GET / HTTP/1.1\r\n\r\n")]
    [TestCase("\0")]
    [TestCase("\u0093\u0000\u00cd\u0000\u0001\u00c6\u00ff\u00ff\u00ff\u00ff")]
    public async Task Bytes_that_are_no_frame_get_no_answer(string text)
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(wire);
        peer.SendBytes(Encoding.GetEncoding(28591).GetBytes(text));
        Assert.That(await peer.ReadToEndAsync(), Is.Empty);
        Assert.That(peer.Refused.TryTake(out RefusedConnection? refused, WithinExtensions.Bound), Is.True);
        Assert.That(refused!.Code, Is.EqualTo("FrameCorrupt"));
    }

    [Test]
    public async Task A_Hello_that_comes_byte_by_byte_with_keys_nobody_knows_is_Welcome()
    {
        var tables = new TableCaps(Strings: true, Maps: true, Types: false);
        await using RawPeer peer = await RawPeer.ConnectAsync(wire, o => (o.Tables, o.MinimumLevel) = (tables, PacketLevel.Warning));
        byte[] hello = RawFrame.Bytes(0, 1, Bodies.Map(
            ("later", new object?[] { 1, new object?[] { "deep" }, null }),
            ("max", 9),
            ("min", 0),
            ("caps", new object?[] { "maps", "other", "maps" }),
            ("secret", peer.Secret),
            ("pid", null),
            ("protocol", "transport"),
            ("zzz", true)));
        foreach (byte one in hello)
        {
            peer.SendBytes([one]);
        }

        Dictionary<string, object?> welcome = (await peer.ReadAsync()).Map;
        Assert.That((welcome["version"], welcome["node"], welcome["level"], welcome["maxPacket"]),
            Is.EqualTo(((object)1L, (object)"main", (object)3L, (object)(16L << 20))));
        Assert.That(welcome["caps"], Is.EqualTo(new object[] { "maps" }));
        Link link = await peer.Ticket.WaitForLinkAsync().Within("the link");
        Assert.That((link.Peer.Node, link.Peer.ProcessId, link.Peer.MaxPacketBytes), Is.EqualTo((string.Empty, (int?)null, 16 << 20)));
    }

    [Test]
    public async Task Packets_behind_Hello_are_the_links_first()
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(wire);
        peer.SendBytes([.. RawFrame.Bytes(0, 1, RawPeer.HelloBody(peer.Secret)), .. RawFrame.Bytes(2, 2000, Bodies.Value(7)),
            .. RawFrame.Bytes(2, 2000, Bodies.Value(8)).Take(5)]);
        Link link = await peer.Ticket.WaitForLinkAsync().Within("the link");
        var came = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        link.Start(new PacketRouter().OnRaw(2000, p =>
        {
            if (p.Body[0] == 8)
            {
                came.TrySetResult(8);
            }
        }));
        peer.SendBytes([.. RawFrame.Bytes(2, 2000, Bodies.Value(8)).Skip(5)]);
        Assert.That(await came.Task.Within("the second packet"), Is.EqualTo(8));
        Assert.That((await peer.ReadUntilAsync(RawPeer.Ack))[0].Type, Is.EqualTo(RawPeer.Welcome));
    }

    [Promise("Trust", "A secret is valid for one connection.")]
    [Test]
    public async Task A_spent_secret_is_rejected_and_the_first_link_is_not_touched()
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(wire);
        byte[] hello = RawFrame.Bytes(0, 1, RawPeer.HelloBody(peer.Secret));
        peer.SendBytes(hello);
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Welcome));
        Link link = await peer.Ticket.WaitForLinkAsync().Within("the link");
        link.Start(new PacketRouter());
        using IWire other = await peer.AnotherAsync();
        other.Write(hello, 0, hello.Length);
        Assert.That(RawFrame.ParseAll(await other.ReadToEndAsync()).Single().Map["code"], Is.EqualTo("secret"));
        peer.Send(2, 2000, [0xc0]);
        Assert.That((await peer.ReadAsync()).Map["packets"], Is.EqualTo(1L));
    }

    [Test]
    public async Task A_withdrawn_ticket_lets_nobody_in()
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(wire);
        peer.Ticket.Cancel();
        peer.SendBytes(RawFrame.Bytes(0, 1, RawPeer.HelloBody(peer.Secret)));
        Assert.That((await peer.ReadToEndAsync()).Single().Map["code"], Is.EqualTo("secret"));
        Assert.That(peer.Ticket.WaitForLinkAsync().IsCanceled, Is.True);
    }

    [Test]
    public async Task A_rejected_worker_knows_the_code()
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(wire);
        TransportException? fault = await Assert.ThrowsAsync<TransportException>(async () =>
            await LinkConnector.ConnectAsync(await peer.AnotherAsync(), LinkSecret.Create()).Within("the refusal"));
        Assert.That((fault!.Fault, fault.Code), Is.EqualTo((TransportFault.Rejected, "secret")));
    }

    [Test]
    public async Task A_wire_is_ended_also_where_the_options_are_wrong()
    {
        using WireRig rig = WireKinds.Open(wire);
        (IWire server, IWire client) = await rig.PairAsync();
        using (server)
        {
            var options = new LinkOptions { MaxRequests = 0 };
            ArgumentException? wrong =
                await Assert.ThrowsAsync<ArgumentException>(() => LinkConnector.ConnectAsync(client, LinkSecret.Create(), options));
            Assert.That(wrong!.Message, Does.Contain("MaxRequests = 0"));
            Assert.That(await server.ReadToEndAsync(), Is.Empty);
        }
    }

    private static async Task<Link> WelcomeAsync(RawPeer peer)
    {
        IWire fresh = await peer.AnotherAsync();
        peer.Take(fresh);
        peer.Send(0, RawPeer.Hello, RawPeer.HelloBody(peer.Secret));
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Welcome));
        return await peer.Ticket.WaitForLinkAsync().Within("the link");
    }

    private sealed class StrangerListener(MemoryWireListener inner) : IWireListener
    {
        public WireEndpoint Endpoint => inner.Endpoint;

        public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept) =>
            inner.Wait([.. wires.Select(wire => ((StrangerWire)wire).Inner)], ready, accept);

        public IWire? TryAccept() => inner.TryAccept() is { } wire ? new StrangerWire(wire) : null;

        public void Wake() => inner.Wake();

        public void Dispose() => inner.Dispose();
    }

    private sealed class StrangerWire(IWire inner) : IWire
    {
        public IWire Inner => inner;

        public WireKind Kind => inner.Kind;

        public PeerIdentity Peer { get; } = new() { UserId = 54_321, ProcessId = 1 };

        public int Read(byte[] buffer, int offset, int count, int patience) => throw new InvalidOperationException("nothing may be read");

        public void Write(byte[] buffer, int offset, int count) => inner.Write(buffer, offset, count);

        public void Shutdown() => inner.Shutdown();

        public void Abort() => inner.Abort();

        public void Dispose() => inner.Dispose();
    }
}
