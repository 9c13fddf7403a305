using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Security;

/// <summary>A process of the same user that has a secret, and what it may try: each time a named fault, a main node that goes on, and an
/// honest worker whose ledger is exact.</summary>
[Platform("Linux")]
[NonParallelizable] // it looks for its tail among the descriptors of the process
public sealed class AttackTests
{
    private const int Honest = 30_000;

    private static IEnumerable<TestCaseData> Bytes()
    {
        yield return Row("Goodbye with another number", TransportFault.PacketMalformed, "Goodbye says that 7 packets were sent, 3 came",
            Attacker.Control(Attacker.Goodbye, ("packets", 7)));
        yield return Row("Goodbye below zero", TransportFault.PacketMalformed, "packets is -1",
            Attacker.Control(Attacker.Goodbye, ("packets", -1)));
        yield return Row("Goodbye of 2^64 - 1", TransportFault.PacketMalformed, "",
            Attacker.Frame(0, Attacker.Goodbye, [0x81, 0xa7, .. "packets"u8, 0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]));
        yield return Row("Goodbye twice", TransportFault.PacketMalformed, "Goodbye came twice",
            [.. Attacker.Control(Attacker.Goodbye, ("packets", 3)), .. Attacker.Control(Attacker.Goodbye, ("packets", 3))]);
        yield return Row("a packet after Goodbye", TransportFault.FrameCorrupt, "After Goodbye",
            [.. Attacker.Control(Attacker.Goodbye, ("packets", 3)), .. Attacker.NumberFrame(4)]);
        yield return Row("SetLevel 9", TransportFault.PacketMalformed, "the field level is 9; expected 0 to 6",
            Attacker.Control(Attacker.SetLevel, ("level", 9)));
        yield return Row("Ack of what was never sent", TransportFault.PacketMalformed, "Ack says that 5 packets are handled, 0 were sent",
            Attacker.Control(Attacker.Ack, ("packets", 5)));
        yield return Row("Ack of 2^63 - 1", TransportFault.PacketMalformed, "Ack says that 9223372036854775807 packets",
            Attacker.Control(Attacker.Ack, ("packets", long.MaxValue)));
        yield return Row("Ack below zero", TransportFault.PacketMalformed, "packets is -9223372036854775808",
            Attacker.Control(Attacker.Ack, ("packets", long.MinValue)));
        yield return Row("Dropped of lane 0", TransportFault.PacketMalformed, "the field lane is 0; expected 1 to 3",
            Attacker.Control(Attacker.Dropped, ("lane", 0), ("packets", 1)));
        yield return Row("Dropped below zero", TransportFault.PacketMalformed, "packets is -5",
            Attacker.Control(Attacker.Dropped, ("lane", 2), ("packets", -5)));
        yield return Row("Dropped with more by level", TransportFault.PacketMalformed, "of more by level", Attacker.Frame(
            0, Attacker.Dropped, [0x83, 0xa4, .. "lane"u8, 2, 0xa7, .. "packets"u8, 3, 0xa7, .. "byLevel"u8, 0x82, 0, 3, 1, 1]));
        yield return Row("Dropped with sums that run over", TransportFault.PacketMalformed, "of more by level",
            Attacker.Frame(0, Attacker.Dropped,
            [0x83, 0xa4, .. "lane"u8, 2, 0xa7, .. "packets"u8, 3, 0xa7, .. "byLevel"u8, 0x82, 0, 0xcf, .. Most, 1, 0xcf, .. Most]));
        yield return Row("Hello twice", TransportFault.PacketMalformed, "handshake",
            Attacker.Control(Attacker.Hello, ("protocol", "transport")));
        yield return Row("Welcome", TransportFault.PacketMalformed, "handshake", Attacker.Control(Attacker.Welcome, ("version", 1)));
        yield return Row("a type of the transport on a lane of packets", TransportFault.FrameCorrupt, "", Attacker.Frame(2, 77, [0xc0]));
        yield return Row("a packet's type on lane 0", TransportFault.FrameCorrupt, "", Attacker.Frame(0, Attacker.Number, [0xc0]));
        yield return Row("a text that was never set", TransportFault.PacketMalformed, "",
            Attacker.Frame(2, 575, [0x91, 0xd5, 1, 0xff, 0xff]));
        yield return Row("a map that was never set", TransportFault.PacketMalformed, "",
            Attacker.Frame(2, 575, [0x91, 0xd6, 2, 0x7f, 0xff, 0xff, 0xff]));
        yield return Row("an entry with an id beyond all", TransportFault.PacketMalformed, "",
            Attacker.Frame(2, 259, [0x91, 0x92, 0xcf, 0, 0, 0, 1, 0, 0, 0, 0, 0xa1, 0x78]));
        yield return Row("an answer nobody asked for", TransportFault.PacketMalformed, "", Attacker.Frame(1, 273, [0xc0]));
    }

    private static byte[] Most => [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

    private static TestCaseData Row(string name, TransportFault fault, string reason, byte[] bytes) =>
        new TestCaseData(fault, reason, bytes).SetName($"What_a_worker_must_not_send_ends_its_own_link_by_name({name})");

    [TestCaseSource(nameof(Bytes))]
    public async Task What_a_worker_must_not_send_ends_its_own_link_by_name(TransportFault fault, string reason, byte[] bytes)
    {
        await using MainRig rig = Rig();
        using Attacker attacker = await Attacker.Start(rig.Main).ConfigureAwait(false);
        Func<Task> honest = StartHonest(rig);
        await attacker.Open().ConfigureAwait(false);
        attacker.Send(bytes);
        string? reported = await attacker.ReadToEnd().ConfigureAwait(false);
        WorkerExit end = await rig.End(attacker.Worker).ConfigureAwait(false);
        Assert.That((end.Link!.Fault, end.Cause), Is.EqualTo((fault, fault + "; killed SIGKILL")));
        Assert.That(end.Link.Reason, Does.Contain(reason));
        Assert.That(end.KillReason, Does.StartWith($"its link had ended ({fault})"));
        Assert.That(reported, Is.EqualTo(fault.ToString()).Or.Null.Or.Empty, "it is reported, where that takes no waiting");
        Assert.That(attacker.Came.Take(3), Is.EqualTo(new[] { 1, 2, 3 }), "the valid packets before");
        Assert.That(end.Link.Receipt.Acknowledged, Is.Zero);
        if (reason.StartsWith("Goodbye says", StringComparison.Ordinal))
        {
            Assert.That(end.Details(), Has.Some.Contains("packets of the worker: sent 7 (as its Goodbye says), received 3,"));
        }
        else if (reason == "packets is -1")
        {
            Assert.That(end.Details(), Has.Some.Contains("sent unknown (no Goodbye that could be read), received 3,"));
        }

        await honest().ConfigureAwait(false);
    }

    [Test]
    public async Task A_report_of_drops_that_lies_is_reported_as_the_workers_word_and_overflows_nothing()
    {
        await using MainRig rig = Rig();
        using Attacker attacker = await Attacker.Start(rig.Main).ConfigureAwait(false);
        Func<Task> honest = StartHonest(rig);
        await attacker.Open().ConfigureAwait(false);
        byte[] lie = Attacker.Frame(0, Attacker.Dropped,
            [0x83, 0xa4, .. "lane"u8, 2, 0xa7, .. "packets"u8, 0xcf, .. Most, 0xa7, .. "byLevel"u8, 0x81, 4, 0xcf, .. Most]);
        attacker.Send([.. lie, .. lie, .. Attacker.Control(Attacker.Goodbye, ("packets", 3))]);
        await attacker.ReadToEnd().ConfigureAwait(false);
        ProcessTable.Signal(attacker.Worker.ProcessId, 15);
        WorkerExit end = await rig.End(attacker.Worker).ConfigureAwait(false);
        LinkReceipt receipt = end.Link!.Receipt;
        Assert.That((receipt.PeerDropped, receipt.PeerDroppedByLevel[PacketLevel.Error], receipt.Received, receipt.PeerSent),
            Is.EqualTo((long.MaxValue, long.MaxValue, 3L, (long?)3)));
        await honest().ConfigureAwait(false);
    }

    [Test]
    public async Task A_level_that_a_worker_sets_is_skipped()
    {
        await using MainRig rig = Rig();
        using Attacker attacker = await Attacker.Start(rig.Main).ConfigureAwait(false);
        Func<Task> honest = StartHonest(rig);
        await attacker.Open().ConfigureAwait(false);
        Link link = await attacker.Worker.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
        attacker.Send([.. Attacker.Control(Attacker.SetLevel, ("level", 6)), .. Attacker.Control(Attacker.Ping, ("id", 1))]);
        Assert.That((await attacker.Read().ConfigureAwait(false)).Type, Is.AnyOf(Attacker.Pong, Attacker.Ack, Attacker.Ping), "no Goodbye");
        attacker.Send(Attacker.Control(Attacker.Goodbye, ("packets", 3)));
        await attacker.ReadToEnd().ConfigureAwait(false);
        Assert.That(link.Levels.Least, Is.EqualTo(PacketLevel.Trace));
        ProcessTable.Signal(attacker.Worker.ProcessId, 15);
        Assert.That((await rig.End(attacker.Worker).ConfigureAwait(false)).Cause, Is.EqualTo("killed SIGTERM"));
        await honest().ConfigureAwait(false);
    }

    [Test]
    public async Task A_second_link_with_one_secret_is_refused_and_the_first_goes_on()
    {
        await using MainRig rig = Rig();
        using Attacker attacker = await Attacker.Start(rig.Main).ConfigureAwait(false);
        Func<Task> honest = StartHonest(rig);
        await attacker.Open().ConfigureAwait(false);
        using (IWire second = await WireFactory.ConnectAsync(attacker.Endpoint, WithinExtensions.Bound, []).ConfigureAwait(false))
        {
            byte[] hello = attacker.HelloFrame();
            second.Write(hello, 0, hello.Length);
            Assert.That((await second.ReadExactlyAsync(10).Within("the answer").ConfigureAwait(false))[4], Is.EqualTo(Attacker.Reject));
        }

        attacker.Send([.. Attacker.NumberFrame(4), .. Attacker.Control(Attacker.Goodbye, ("packets", 4))]);
        await attacker.ReadToEnd().ConfigureAwait(false);
        ProcessTable.Signal(attacker.Worker.ProcessId, 15);
        WorkerExit end = await rig.End(attacker.Worker).ConfigureAwait(false);
        Assert.That((end.Cause, string.Join(" ", attacker.Came)), Is.EqualTo(("killed SIGTERM", "1 2 3 4")));
        Assert.That(rig.Main.RefusedConnections, Is.EqualTo(1));
        await honest().ConfigureAwait(false);
    }

    [Test]
    public async Task A_worker_that_claims_another_nodes_name_stays_who_it_is()
    {
        await using MainRig rig = Rig();
        using Attacker attacker = await Attacker.Start(rig.Main).ConfigureAwait(false);
        Func<Task> honest = StartHonest(rig);
        await attacker.Open("n2").ConfigureAwait(false);
        Link link = await attacker.Worker.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
        Assert.That((link.Peer.Node, link.Peer.ProcessId), Is.EqualTo(("n2", (int?)1)), "its own word");
        Assert.That((attacker.Worker.Node, link.Peer.Identity.ProcessId),
            Is.EqualTo(("n1", (int?)System.Diagnostics.Process.GetCurrentProcess().Id)), "the ticket's, and the kernel's");
        attacker.Dispose();
        WorkerExit end = await rig.End(attacker.Worker).ConfigureAwait(false);
        Assert.That((end.Node, end.ProcessId), Is.EqualTo(("n1", attacker.Worker.ProcessId)));
        await honest().ConfigureAwait(false);
    }

    [TestCase("a record without its sum")]
    [TestCase("numbers beyond the ring")]
    [TestCase("noise")]
    public async Task A_forged_tail_brings_nothing_and_says_so(string what)
    {
        await using MainRig rig = Rig();
        using Attacker attacker = await Attacker.Start(rig.Main).ConfigureAwait(false);
        Func<Task> honest = StartHonest(rig);
        using (var tail = new FileStream(attacker.Tail, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
        {
            byte[] file = new byte[tail.Length];
            if (what == "noise")
            {
                new Random(3).NextBytes(file);
            }

            int block = TailLayout.BlockOf(Lane.Normal);
            (int start, int size) = TailLayout.RingOf(Lane.Normal, file.Length);
            byte[] frame = Attacker.NumberFrame(66);
            frame.CopyTo(file, start + TailLayout.RecordHeader);
            BitConverter.GetBytes((long)frame.Length).CopyTo(file, start + TailLayout.Length);
            BitConverter.GetBytes(what == "numbers beyond the ring" ? 2L * size : 64).CopyTo(file, block + TailLayout.End);
            BitConverter.GetBytes(what == "noise" ? 0x41414141L : TailLayout.Magic).CopyTo(file, 0);
            tail.Write(file, 0, file.Length);
        }

        await attacker.Open().ConfigureAwait(false);
        ProcessTable.Signal(attacker.Worker.ProcessId, 9);
        attacker.Dispose();
        WorkerExit end = await rig.End(attacker.Worker).ConfigureAwait(false);
        TailReport report = end.Link!.Receipt.Tail!;
        Assert.That((report.Packets, string.Join(" ", attacker.Came)), Is.EqualTo((0L, "1 2 3")));
        Assert.That(report.Problem, Does.Contain(what switch { "noise" => "does not begin as a tail does", "numbers beyond the ring" =>
            "is said to hold bytes 0 to", _ => "is not whole" }));
        await honest().ConfigureAwait(false);
    }

    [Test]
    public async Task Noise_in_an_honest_workers_tail_touches_nothing_while_it_lives()
    {
        await using MainRig rig = Rig();
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        using (FileStream tail = OpenTail.Open())
        {
            byte[] noise = new byte[1 << 20];
            new Random(5).NextBytes(noise);
            tail.Write(noise, 0, noise.Length);
        }

        Link link = await worker.WaitForLinkAsync().ConfigureAwait(false);
        for (int i = 1; i <= 500; i++)
        {
            _ = await link.SendAsync(NumberPacket.Type, i).ConfigureAwait(false);
        }

        Assert.That(SpinWait.SpinUntil(() => rig.Numbers.Count == 500, WithinExtensions.Bound), Is.True);
        WorkerExit end = await worker.StopAsync("done").Within("its end").ConfigureAwait(false);
        Assert.That((end.Cause, end.Link!.Receipt.Received, end.Link.Receipt.PeerSent), Is.EqualTo(("clean", 500L, (long?)500)));
    }

    [TestCase("says nothing and closes")]
    [TestCase("answers with noise")]
    public async Task A_replaced_endpoint_ends_the_worker_that_meets_it_by_name_and_nobody_else(string how)
    {
        await using MainRig rig = Rig();
        WorkerProcess before = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        string path = rig.Main.Endpoint.Address;
        File.Move(path, path + ".mine");
        using (Socket impostor = UnixSocketEndPoint.NewSocket())
        {
            impostor.Bind(new UnixSocketEndPoint(path));
            impostor.Listen(5);
            WorkerProcess met = rig.Start("worker-refused");
            Socket taken = await Task.Run(impostor.Accept).Within("the worker's connection").ConfigureAwait(false);
            if (how == "answers with noise")
            {
                taken.Send([.. "HTTP/1.1 200 OK\r\n\r\n"u8]);
            }

            taken.Dispose();
            WorkerExit end = await rig.End(met).ConfigureAwait(false);
            Assert.That((end.Cause, end.Connected), Is.EqualTo(("exit 3", false)));
            Assert.That(end.LastErrorLines, Is.Not.Empty, "it knows why");
        }

        File.Delete(path);
        File.Move(path + ".mine", path);
        await StartHonest(rig)().ConfigureAwait(false);
        Assert.That((await before.StopAsync("done").Within("its end").ConfigureAwait(false)).Cause, Is.EqualTo("clean"));
    }

    private static MainRig Rig() => new(change: options =>
    {
        options.BrokenLinkGrace = TimeSpan.Zero;
        options.Link.Heartbeat.PingInterval = TimeSpan.FromSeconds(1);   // what is looked at now and then is looked at four times as often
    });

    /// <summary>Starts a worker that sends its numbers meanwhile.</summary>
    /// <returns>Asserts that it has ended cleanly and all of them came, once and in order.</returns>
    private static Func<Task> StartHonest(MainRig rig)
    {
        WorkerProcess worker = rig.Start("worker-send", $"{Honest}");
        return async () =>
        {
            WorkerExit end = await rig.End(worker).ConfigureAwait(false);
            Assert.That(end.Cause, Is.EqualTo("clean"));
            rig.AssertNumbers(Honest);
            Assert.That((end.Link!.Receipt.PeerSent, end.Link.Receipt.Received, end.Link.Receipt.Flushed),
                Is.EqualTo(((long?)Honest, (long)Honest, (long)Honest)));
        };
    }
}
