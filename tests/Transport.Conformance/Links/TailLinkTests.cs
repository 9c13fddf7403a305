using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>A link whose peer has exited goes on with the peer's tail; what is wrong in it ends the recovery alone.</summary>
internal sealed class TailLinkTests
{
    [Test]
    public async Task A_packet_of_which_only_some_frames_had_come_is_completed_from_the_tail([Values] bool inMidFrame)
    {
        byte[] body = Bodies.OfSize(150_000);
        byte[][] frames = [Frame(0x42, body, 0, 60_000), Frame(0x42, body, 60_000, 120_000), Frame(2, body, 120_000, body.Length)];
        byte[] whole = [.. frames.SelectMany(f => f)];
        (LinkEnd end, List<byte[]> came) = await EndAsync([.. frames[0], .. frames[1].Take(inMidFrame ? 777 : 0)], (Lane.Normal, whole))
            .ConfigureAwait(false);
        Assert.That(came, Is.EqualTo(new[] { body }));
        Assert.That(end.Fault, Is.EqualTo(TransportFault.PeerGone));
        Assert.That(end.Receipt.Tail, Is.EqualTo(new TailReport { Packets = 1, Lost = 0 }));
        Assert.That(end.Receipt.Received, Is.EqualTo(1));
    }

    [Test]
    public async Task What_had_come_does_not_come_twice_and_each_lane_goes_on_by_itself()
    {
        byte[][] bodies = [.. Enumerable.Range(1, 4).Select(n => Bodies.Value((long)n))];
        (LinkEnd end, List<byte[]> came) = await EndAsync(
            [.. Frame(3, bodies[0]), .. Frame(1, bodies[1])],
            (Lane.Urgent, Frame(1, bodies[1])),
            (Lane.Bulk, Frame(3, bodies[0])),
            (Lane.Bulk, Frame(3, bodies[2])),
            (Lane.Urgent, Frame(1, bodies[3]))).ConfigureAwait(false);
        Assert.That(came, Is.EqualTo(new[] { bodies[0], bodies[1], bodies[3], bodies[2] }));
        Assert.That(end.Receipt.Tail, Is.EqualTo(new TailReport { Packets = 2, Lost = 0 }));
    }

    [TestCase("corrupt")]
    [TestCase("malformed")]
    [TestCase("lane")]
    [TestCase("control")]
    [TestCase("cut")]
    public async Task Bytes_of_a_tail_that_break_the_rules_end_the_recovery_alone(string what)
    {
        byte[] valid = Frame(2, Bodies.OfSize(50));
        byte[] wrong = what switch
        {
            "corrupt" => [.. "GET / HTTP/1.1"u8],
            "malformed" => Frame(2, [0xc1]),
            "lane" => Frame(1, Bodies.Value(1L)),
            "control" => RawFrame.Bytes(0, RawPeer.Ping, Bodies.Map(("id", 1))),
            _ => [.. valid.Take(valid.Length - 1)],
        };
        (LinkEnd end, List<byte[]> came) = await EndAsync([], [(Lane.Normal, valid), (Lane.Normal, wrong), .. what == "cut"
            ? Array.Empty<(Lane, byte[])>() : [(Lane.Normal, valid)]]).ConfigureAwait(false);
        Assert.That(came, Has.Count.EqualTo(1));
        Assert.That(end.Fault, Is.EqualTo(TransportFault.PeerGone));
        Assert.That((end.Receipt.Tail!.Packets, end.Receipt.Tail.Lost), Is.EqualTo((1L, what is "malformed" or "cut" ? 1L : 2L)),
            "one that was taken, but had no valid body, is not lost but worthless");
        Assert.That(end.Receipt.Tail.Problem, Is.Not.Null);
        TestContext.Out.WriteLine(end.Receipt);
    }

    [Promise("Worker exits", "A damaged crash tail is reported, and its valid packets are still used.")]
    [TestCase("emptied", 0, null, "cut its file to 0 of 1048576 bytes")]
    [TestCase("cut in the header", 0, null, "cut its file to 8 of 1048576 bytes")]
    [TestCase("cut before the records", 0, 2L, "cut its file to 1024 of 1048576 bytes")]
    [TestCase("cut behind the records", 2, 0L, "cut its file to 524288 of 1048576 bytes")]
    [TestCase("grown", 2, 0L, "made its file longer, from 1048576 to 1048577 bytes")]
    [TestCase("begun anew", 0, null, "does not begin as a tail does")]
    public async Task A_file_that_is_not_as_it_was_made_is_reported_and_what_is_valid_of_it_taken(
        string what, int came, long? lost, string problem)
    {
        byte[] frame = Frame(2, Bodies.Value(7L));
        (LinkEnd end, List<byte[]> got) = await EndAsync([], Harm, (Lane.Normal, frame), (Lane.Normal, frame)).ConfigureAwait(false);
        TailReport tail = end.Receipt.Tail!;
        Assert.That((got.Count, tail.Packets, tail.Lost), Is.EqualTo((came, (long)came, lost)));
        Assert.That(tail.Problem, Does.Contain("somebody has").And.Contain(problem));
        Assert.That(end.Receipt.ToString(),
            Does.Contain($"{came} from the tail, {(lost is null ? "nobody knows how many" : lost.ToString())} lost").And.Contain(problem));

        void Harm(FileStream file)
        {
            if (what == "begun anew")
            {
                file.WriteByte(1);
                return;
            }

            file.SetLength(what switch { "emptied" => 0, "cut in the header" => 8, "cut before the records" => 1024,
                "cut behind the records" => 512 << 10, _ => file.Length + 1 });
        }
    }

    [Test]
    public async Task A_tail_goes_on_with_the_tables_and_announced_types_of_the_stream([Values(0, 1, 2, 3)] int received)
    {
        byte[][] frames =
        [
            RawFrame.Bytes(2, 261, [0x91, 0xcd, 4, 0]),
            RawFrame.Bytes(2, 259, [0x91, 0x92, 7, 0xa2, 0x68, 0x69]),
            Frame(2, [0x91, 0xd4, 1, 7]),
        ];
        using var tail = new LeftTail();
        Assert.That(tail.TryAdd(Lane.Normal, [.. frames.SelectMany(f => f)], packets: 3), Is.True);
        Assert.That(tail.TryAdd(Lane.Normal, frames[2]), Is.True);
        var came = new List<byte[]>();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync("unix", null, "strings", "tables").ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            main.StartWithTail(new PacketRouter().OnRaw(1024, packet => came.Add(packet.Body.ToArray())), tail.ReadAsync);
            peer.SendBytes([.. frames.Take(received).SelectMany(f => f)]);
            peer.Wire.Abort();
            LinkEnd end = await main.Completion.Within("the end").ConfigureAwait(false);
            Assert.That(came, Is.EqualTo(Enumerable.Repeat(new byte[] { 0x91, 0xa2, 0x68, 0x69 }, 2)), end.ToString());
            Assert.That((end.Receipt.Received, end.Receipt.Tail), Is.EqualTo((4L, new TailReport { Packets = 4 - received, Lost = 0 })));
        }
    }

    [Test]
    public async Task A_tail_that_nobody_has_used_says_nothing()
    {
        (LinkEnd end, _) = await EndAsync([], file => file.Write(new byte[8], 0, 8)).ConfigureAwait(false);
        Assert.That(end.Receipt.Tail, Is.Null);
    }

    [Test]
    public async Task After_Goodbye_the_tail_is_not_asked_for()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync("memory").ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            main.StartWithTail(new PacketRouter(), () => throw new InvalidOperationException("asked for"));
            peer.SendGoodbye(0);
            await peer.ReadUntilAsync(RawPeer.Goodbye).Within("Goodbye").ConfigureAwait(false);
            peer.Wire.Abort();
            Assert.That((await main.Completion.Within("the end").ConfigureAwait(false)).Receipt.Tail, Is.Null);
        }
    }

    [Test]
    public void A_tail_that_cannot_be_had_is_reported_by_an_event()
    {
        using var events = new Events();
        TailMap? without = WorkerTail.TryOpen("w7", "/nowhere/at-all");
        Assert.That(without, Is.Null);
        if (Type.GetType("Mono.Runtime") is not null)
        {
            return;   // its EventSource reports no listener
        }

        Assert.That(events.Texts, Has.Some.Contains("w7").And.Some.Contains("/nowhere/at-all"));
    }

    private static byte[] Frame(int laneByte, byte[] body) => RawFrame.Bytes(laneByte, 1024, body);

    private static byte[] Frame(int laneByte, byte[] body, int from, int to) => Frame(laneByte, body.AsSpan(from, to - from).ToArray());

    /// <summary>A peer that has written some bytes and has exited, and left records.</summary>
    private static Task<(LinkEnd End, List<byte[]> Came)> EndAsync(byte[] written, params (Lane Lane, byte[] Frames)[] records) =>
        EndAsync(written, null, records);

    /// <summary>As the other, if somebody does something to the file before it is read.</summary>
    private static async Task<(LinkEnd End, List<byte[]> Came)> EndAsync(
        byte[] written, Action<FileStream>? harm, params (Lane Lane, byte[] Frames)[] records)
    {
        using var tail = new LeftTail();
        foreach ((Lane lane, byte[] frames) in records)
        {
            Assert.That(tail.TryAdd(lane, frames), Is.True);
        }

        if (harm is not null)
        {
            using var other = new FileStream(tail.File.Path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
            harm(other);
        }

        var came = new List<byte[]>();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync("unix").ConfigureAwait(false);
        await using (peer.ConfigureAwait(false))
        {
            main.StartWithTail(new PacketRouter().OnRaw(1024, packet => came.Add(packet.Body.ToArray())), tail.ReadAsync);
            peer.SendBytes(written);
            peer.Wire.Abort();
            return (await main.Completion.Within("the end").ConfigureAwait(false), came);
        }
    }
}
