using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Strings, Maps and references by a peer that writes the bytes itself: what PROTOCOL.md allows is followed, and nothing
/// else.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class RawTables(string wire)
{
    private const int Strings = 259, Maps = 260, Types = 261, Build = 575, Application = 1024;

    private static readonly string[] Both = ["strings", "maps"];
    private static readonly string[] All = [.. Both, "tables"];

    private static IEnumerable<TestCaseData> Rows()
    {
        TestCaseData Row(string name, params byte[][] frames) => new TestCaseData([frames]).SetArgDisplayNames(name);
        byte[] set = Frame(Strings, Entry(7, "seven"));
        yield return Row("a text that was never set", set, Frame(Build, OneText([0xd4, 1, 8])));
        yield return Row("a map that was never set", set, Frame(Build, [0x93, 0x90, 0x91, 0xd4, 2, 7, 0xc4, 0]));
        yield return Row("a text set in another lane", RawFrame.Bytes(3, Strings, Entry(7, "seven")), Frame(Build, OneText([0xd4, 1, 7])));
        yield return Row("a reference before its packet", Frame(Build, OneText([0xd4, 1, 7])), set);
        yield return Row("an id of 8 bytes", set, Frame(Build, OneText([0xd7, 1, 0, 0, 0, 0, 0, 0, 0, 7])));
        yield return Row("an id of 3 bytes", set, Frame(Build, OneText([0xc7, 3, 1, 0, 0, 7])));
        yield return Row("an id of no bytes", set, Frame(Build, OneText([0xc7, 0, 1])));
        yield return Row("Strings that is no array", Frame(Strings, [0x80]));
        yield return Row("an entry that is no array", Frame(Strings, [0x91, 7]));
        yield return Row("an entry of one element", Frame(Strings, [0x91, 0x91, 7]));
        yield return Row("a negative id", Frame(Strings, [0x91, 0x92, 0xff, 0xa1, 0x61]));
        yield return Row("an id above 32 bits", Frame(Strings, [0x91, 0x92, 0xcf, 0, 0, 0, 1, 0, 0, 0, 0, 0xa1, 0x61]));
        yield return Row("a text as id", Frame(Strings, [0x91, 0x92, 0xa1, 0x37, 0xa1, 0x61]));
        yield return Row("nil as text", Frame(Strings, [0x91, 0x92, 7, 0xc0]));
        yield return Row("a number as text", Frame(Strings, [0x91, 0x92, 7, 7]));
        yield return Row("a text that is not UTF-8", Frame(Strings, [0x91, 0x92, 7, 0xa1, 0xff]));
        yield return Row("a reference as text", set, Frame(Strings, [0x91, 0x92, 8, 0xd4, 1, 7]));
        yield return Row("more entries than bytes", Frame(Strings, [0xdd, 0xff, 0xff, 0xff, 0xff]));
        yield return Row("an array as map", Frame(Maps, [0x91, 0x92, 7, 0x90]));
        yield return Row("nil as map", Frame(Maps, [0x91, 0x92, 7, 0xc0]));
        yield return Row("a map of a text that was never set", Frame(Maps, [0x91, 0x92, 7, 0x81, 0xd4, 1, 9, 0xc0]));
        yield return Row("a map that refers to a map", Frame(Maps, [0x91, 0x92, 7, 0x80]),
            Frame(Maps, [0x91, 0x92, 8, 0x81, 0xa1, 0x61, 0xd4, 2, 7]));
        byte[] wrong = Frame(Application, OneText([0xd4, 1, 8]));
        yield return Row("a text that was never set in an announced type", Frame(Types, Announced), set, wrong);
        yield return Row("an announced type before any text", Frame(Types, Announced), Frame(Application, OneText([0xd4, 1, 7])));
        yield return Row("a type below 1024", Frame(Types, [0x91, 0xcd, 2, 0]));
        yield return Row("a type above 65535", Frame(Types, [0x91, 0xce, 0, 1, 4, 0]));
        yield return Row("a type for the second time", Frame(Types, Announced), Frame(Types, Announced));
        yield return Row("Types that is no array", Frame(Types, [0xcd, 4, 0]));
        yield return Row("a text as type", Frame(Types, [0x91, 0xa1, 0x61]));
        IEnumerable<byte> types = Enumerable.Range(1024, 1025).SelectMany(t => new byte[] { 0xcd, (byte)(t >> 8), (byte)t });
        yield return Row("1,025 types", Frame(Types, [0xdc, 4, 1, .. types]));
        yield return Row("more types than bytes", Frame(Types, [0xdd, 0xff, 0xff, 0xff, 0xff]));
        yield return Row("65,537 texts",
            [.. Enumerable.Range(0, 17).Select(page => Frame(Strings, Entries(page * 4096, page == 16 ? 1 : 4096, "t")))]);
        yield return Row("more than 16 MiB of texts",
            [.. Enumerable.Range(0, 257).Select(i => Frame(Strings, Entry(i, new string('x', 65_530))))]);
    }

    [TestCaseSource(nameof(Rows))]
    public async Task What_breaks_the_rules_is_packet_malformed(byte[][] frames)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, null, All);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter().OnRaw(Build, _ => { }));
        Task sending = WireReading.OnThread(() => SendAll(peer, frames));
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.PacketMalformed), end.ToString());
        await sending.Within("the frames");
    }

    [TestCase("a text", 0)]
    [TestCase("a text", 2)]
    [TestCase("a map", 1)]
    [TestCase("Strings", 0)]
    [TestCase("Strings", 2)]
    [TestCase("Maps", 1)]
    [TestCase("Types", 2)]
    public async Task What_was_not_agreed_on_is_packet_malformed(string what, int agreed)
    {
        string[] caps = agreed switch { 0 => [], 1 => ["strings"], _ => ["maps"] };
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, null, caps);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter().OnRaw(Build, _ => { }));
        peer.SendBytes(what switch
        {
            "a text" => Frame(Build, OneText([0xd4, 1, 7])),
            "a map" => Frame(Build, [0x93, 0x90, 0x91, 0xd4, 2, 7, 0xc4, 0]),
            "Strings" => Frame(Strings, Entry(7, "seven")),
            "Types" => Frame(Types, Announced),
            _ => Frame(Maps, [0x91, 0x92, 7, 0x80]),
        });
        Assert.That((await main.Completion.Within("the end")).Fault, Is.EqualTo(TransportFault.PacketMalformed));
    }

    [Test]
    public async Task Every_valid_encoding_is_followed()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, null, Both);
        await using RawPeer rawPeer = peer;
        var came = new List<string>();
        main.Start(new PacketRouter().On(Words.Type, (w, _) => came.Add(w.Show())));
        peer.SendBytes([
            .. Frame(Strings, [0x93, .. Pair(0, "zero"), .. Pair(65_535, "many"), 0x93, 0xce, 0xff, 0xff, 0xff, 0xff, 0xa1, 0x21, 0xc3]),
            .. Frame(Build, Packed(
                6, [0xd4, 1, 0, 0xd5, 1, 0, 0, 0xd6, 1, 0, 0, 0, 0, 0xc7, 1, 1, 0, 0xd5, 1, 0xff, 0xff, 0xd6, 1, 0xff, 0xff, 0xff, 0xff])),
            .. Frame(Maps, [0x91, 0x92, 5, 0x82, 0xd4, 1, 0, 0xd5, 1, 0xff, 0xff, 0xa1, 0x61, 0xa1, 0x62]),
            .. Frame(Strings, [0x91, .. Pair(0, "set again")]),
            .. Frame(Build, [0x93, 0x91, 0xd4, 1, 0, 0x92, 0xd4, 2, 5, 0x81, 0xa1, 0x63, 0xd4, 1, 0, 0xc4, 0]),
            .. Frame(Maps, [0x91, 0x92, 5, 0x80]),
            .. Frame(Build, [0x93, 0x90, 0x91, 0xd5, 2, 0, 5, 0xc4, 0]),
        ]);
        peer.SendGoodbye(7);
        peer.Wire.Shutdown();
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(came, Is.EqualTo(new[] { "zero|zero|zero|zero|many|!  0:0", "set again zero=many,a=b|c=set again 0:0", "  0:0" }),
            end.ToString());
        Assert.That(end.Receipt.Received, Is.EqualTo(7));
    }

    [Test]
    public async Task An_extension_of_an_application_is_its_own_until_its_type_is_announced()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, null, All);
        await using RawPeer rawPeer = peer;
        var came = new List<string>();
        void Take(RawPacket packet) =>
            came.Add($"{packet.Type} {packet.Lane} {packet.HasReferences} {BitConverter.ToString(packet.Body.ToArray())}");
        main.Start(new PacketRouter().OnRaw(Application, Take).OnRaw(Application + 1, Take));
        byte[] body = [0x91, 0xd4, 1, 7];
        peer.SendBytes([
            .. Frame(Strings, Entry(7, "hi")), .. Frame(Application, body),
            .. Frame(Types, Announced), .. Frame(Application, body),
            .. Frame(Application + 1, body), .. RawFrame.Bytes(3, Application, body),
        ]);
        peer.SendGoodbye(6);
        peer.Wire.Shutdown();
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(
            came,
            Is.EqualTo(new[]
            {
                "1024 Normal False 91-D4-01-07", "1024 Normal True 91-A2-68-69",
                "1025 Normal False 91-D4-01-07", "1024 Bulk False 91-D4-01-07",
            }),
            end.ToString());
        Assert.That(end.Receipt.Received, Is.EqualTo(6));
    }

    [Test]
    public async Task What_we_send_of_an_announced_type_is_what_the_page_says()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, null, All);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(Words.Application, Words.Of("target")), Is.EqualTo(SendResult.Queued));
        Assert.That(main.TrySend(Words.Application, Words.Of("target")), Is.EqualTo(SendResult.Queued));
        _ = main.CloseAsync();
        List<RawFrame> came = [.. (await peer.ReadUntilAsync(RawPeer.Goodbye)).Where(f => f.Lane != 0 || f.Type == RawPeer.Goodbye)];
        Assert.That(came.Select(f => f.Type), Is.EqualTo(new[] { Types, Strings, Application, Application, RawPeer.Goodbye }));
        Assert.That(came[0].Body, Is.EqualTo(Announced));
        Assert.That(came[3].Body, Is.EqualTo(OneText([0xd5, 1, 1, 0])));
        Assert.That(came[4].Map["packets"], Is.EqualTo(4));
    }

    [Test]
    public async Task What_we_send_is_what_the_page_says()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, null, Both);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Words words = new(["target", "target"], Words.OfMap(("name", "target")).Maps, []);
        Assert.That(main.TrySend(Words.Type, words), Is.EqualTo(SendResult.Queued));
        Assert.That(main.TrySend(Words.Type, words), Is.EqualTo(SendResult.Queued));
        _ = main.CloseAsync();
        List<RawFrame> came = [.. (await peer.ReadUntilAsync(RawPeer.Goodbye)).Where(f => f.Lane != 0 || f.Type == RawPeer.Goodbye)];
        byte[] packet = [0x93, 0x92, 0xd5, 1, 1, 0, 0xd5, 1, 1, 0, 0x91, 0xd5, 2, 1, 0, 0xc4, 0];
        Assert.That(came.Select(f => f.Type), Is.EqualTo(new[] { Strings, Maps, Build, Build, RawPeer.Goodbye }));
        Assert.That(came[0].Body, Is.EqualTo((byte[])[0x92, 0x92, 0xcd, 1, 0, .. Text("target"), 0x92, 0xcd, 1, 1, .. Text("name")]));
        Assert.That(came[1].Body, Is.EqualTo(new byte[] { 0x91, 0x92, 0xcd, 1, 0, 0x81, 0xd5, 1, 1, 1, 0xd5, 1, 1, 0 }));
        Assert.That(came[2].Body, Is.EqualTo(packet));
        Assert.That(came[3].Body, Is.EqualTo(packet));
        Assert.That(came[4].Map["packets"], Is.EqualTo(4));
    }

    [Test]
    public async Task A_body_that_written_out_is_too_large_is_not_written_out()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxPacketBytes = 64 << 10, Both);
        await using RawPeer rawPeer = peer;
        TransportFault? body = null;
        int read = 0;
        main.Start(new PacketRouter().OnRaw(Build, packet =>
        {
            read = packet.Read(Words.Type).Texts.Length;
            PacketLease lease = packet.Lease();
            body = Assert.Throws<TransportException>(() => _ = lease.Body)!.Fault;
        }));
        peer.SendBytes([
            .. Frame(Strings, Entry(1, new string('x', 60_000))),
            .. Frame(Build, [0x93, 0xdc, 0x4e, 0x20, .. Enumerable.Repeat(new byte[] { 0xd4, 1, 1 }, 20_000).SelectMany(r => r), 0x90, 0xc4,
                0]),
        ]);
        peer.SendGoodbye(2);
        peer.Wire.Shutdown();
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That((read, body), Is.EqualTo((20_000, (TransportFault?)TransportFault.PacketTooLarge)), end.ToString());
    }

    [Test]
    public async Task A_handler_that_lets_a_body_of_too_much_pass_ends_the_link_with_the_packets_fault([Values] bool asynchronous)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(
            wire, o => (o.MaxPacketBytes, o.TimeProvider) = (64 << 10, new ManualClock()), Both);
        await using RawPeer rawPeer = peer;
        main.Start(asynchronous
            ? new PacketRouter().OnRawAsync(Build, async packet =>
            {
                await Task.Yield();
                _ = packet.Body;
            })
            : new PacketRouter().OnRaw(Build, packet => { _ = packet.Body; }));
        peer.SendBytes([
            .. Frame(Strings, Entry(1, new string('x', 60_000))),
            .. Frame(Build, [0x93, 0x92, 0xd4, 1, 1, 0xd4, 1, 1, 0x90, 0xc4, 0]),
        ]);
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That((end.Fault, end.Receipt.Taken), Is.EqualTo((TransportFault.PacketTooLarge, 1L)), end.ToString());
        Assert.That(end.Reason, Does.Contain($"type {Build}").And.Contain("LinkOptions.MaxPacketBytes").And.Contain("65536"));
        List<RawFrame> reported = await peer.ReadToEndAsync();
        Assert.That(reported[reported.Count - 1].Map["reason"], Is.EqualTo("PacketTooLarge"));
    }

    [Test]
    public async Task A_handlers_own_fault_is_its_own_also_where_it_is_of_that_kind()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, null, Both);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter()
            .OnRaw(Build, (RawPacketHandler)(_ => throw new TransportException(TransportFault.PacketTooLarge, "of another link"))));
        peer.SendBytes(Frame(Build, OneText([0xa1, 0x61])));
        Assert.That((await main.Completion.Within("the end")).Fault, Is.EqualTo(TransportFault.HandlerFailed));
    }

    private static void SendAll(RawPeer peer, byte[][] frames)
    {
        try
        {
            foreach (byte[] frame in frames)
            {
                peer.SendBytes(frame);
            }
        }
        catch (System.IO.IOException)
        {
            // The main node has seen enough.
        }
    }

    private static byte[] Frame(int type, byte[] body)
    {
        // A body above one frame: 65,536 bytes and MORE.
        return body.Length <= 65_536 ? RawFrame.Bytes(2, type, body)
            : [.. RawFrame.Bytes(0x42, type, body.AsSpan(0, 65_536).ToArray()), .. RawFrame.Bytes(2, type, body.AsSpan(65_536).ToArray())];
    }

    private static byte[] Announced => [0x91, 0xcd, Application >> 8, Application & 0xff];

    private static byte[] OneText(byte[] text) => Packed(1, text);

    private static byte[] Packed(int texts, byte[] encoded) => [0x93, (byte)(0x90 | texts), .. encoded, 0x90, 0xc4, 0];

    private static byte[] Entry(int id, string text) => [0x91, .. Pair(id, text)];

    private static byte[] Entries(int first, int count, string text) =>
        [0xdc, (byte)(count >> 8), (byte)count, .. Enumerable.Range(first, count).SelectMany(id => Pair(id, text))];

    private static byte[] Pair(int id, string text) =>
        [0x92, 0xce, (byte)(id >> 24), (byte)(id >> 16), (byte)(id >> 8), (byte)id, .. Text(text)];

    private static byte[] Text(string text) => text.Length < 32 ? [(byte)(0xa0 | text.Length), .. Encoding.ASCII.GetBytes(text)]
        : [0xda, (byte)(text.Length >> 8), (byte)text.Length, .. Encoding.ASCII.GetBytes(text)];
}
