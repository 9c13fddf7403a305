using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Clock;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Exits;

/// <summary>What an exit report holds besides the cause.</summary>
public sealed class ExitReportTests
{
    [Test]
    public async Task A_worker_that_cannot_be_followed_has_an_end_that_says_why()
    {
        var clock = new FailingClock();
        await using var rig = new MainRig(change: options => options.Link.TimeProvider = clock);
        WorkerProcess worker = rig.Start(new WorkerStartOptions("sleep", "1000"));
        clock.Fails = true;
        worker.Kill();
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That(end.Cause, Does.Contain("could not follow it").And.Contain("a defect"));
        Assert.That(rig.Main.Workers, Is.Empty);
        Assert.That(worker.WaitForLinkAsync().IsFaulted, Is.True);
    }

    [Test]
    public async Task It_has_the_last_packets_the_counts_and_what_was_being_done()
    {
        await using var rig = new MainRig(change: options => options.Link.KnownPackets = [NumberPacket.Type]);
        WorkerProcess worker = rig.Start("worker-kill", "100", "9");
        worker.CurrentActivity = "Core.csproj";
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.Multiple(() =>
        {
            Assert.That(end.CurrentActivity, Is.EqualTo("Core.csproj"));
            Assert.That(end.LastPackets.Select(p => $"{p.Type} {p.Name} {p.Lane} {p.Bytes}"),
                Is.EqualTo(Enumerable.Repeat("1024 Number Normal 5", 20)));
            Assert.That(end.LastPackets.Select(p => p.BeforeEnd), Is.Ordered.Descending);
            Assert.That(end.SinceLastPacket, Is.EqualTo(end.LastPackets[19].BeforeEnd).And.LessThan(end.LifeTime));
            Assert.That(end.SinceLastFrame, Is.LessThanOrEqualTo(end.SinceLastPacket!.Value));
            Assert.That((end.Link!.Receipt.Received, end.Link.Receipt.PeerSent, end.Link.Receipt.PeerDropped),
                Is.EqualTo((100, (long?)null, 0)));
            Assert.That(Path.IsPathRooted(end.Executable) && File.Exists(end.Executable), Is.True, end.Executable);
            Assert.That(end.EndedAt, Is.EqualTo(TimeProvider.System.GetUtcNow()).Within(TimeSpan.FromMinutes(1)));
            string[] lines = end.Report.Split('\n');
            Assert.That(end.ToString(), Is.EqualTo(lines[0]), "one line");
            Assert.That((end.PacketsLost, end.AllPacketsHandled), Is.EqualTo(((long?)0, true)), "the tail brought all of it");
            Assert.That(end.IsSuccess, Is.False);
            Assert.That(lines[0],
                Does.Match($@"^n1 \(pid {end.ProcessId}, (dotnet|mono)\) killed SIGKILL after \d+\.\d s, on Core\.csproj$"));
            Assert.That(lines, Has.Some.Matches(@"^  last packets: (-\d+ to )?-\d+ ms 20 x Number \(1024\), normal, 100 B$"));
            Assert.That(lines, Has.Some.EqualTo("  stderr: last output"));
        });
    }

    [Test]
    public async Task Times_are_those_before_the_end()
    {
        var clock = new ManualClock();
        await using var rig = new MainRig(change: options => options.Link.TimeProvider = clock);
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        clock.Advance(TimeSpan.FromSeconds(1));
        var answered = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Received = _ => answered.TrySetResult(true);
        Link link = await worker.WaitForLinkAsync().ConfigureAwait(false);
        _ = await link.SendAsync(NumberPacket.Type, 21).ConfigureAwait(false);
        await answered.Task.Within("the answer").ConfigureAwait(false);
        Assert.That(SpinWait.SpinUntil(() => link.Receipt.Acknowledged == 1 && link.Reading.IsWaiting, WithinExtensions.Bound), Is.True,
            "its last frame, behind the answer");

        // Its own clock goes on: five seconds after that frame it would send a Ping.
        ProcessTable.Signal(worker.ProcessId, 19);
        Assert.That(SpinWait.SpinUntil(() => link.Reading.IsWaiting, WithinExtensions.Bound), Is.True, "and no other");
        clock.Advance(TimeSpan.FromSeconds(2));
        ProcessTable.Signal(worker.ProcessId, 9);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That((end.LifeTime, end.SinceLastPacket, end.SinceLastFrame),
            Is.EqualTo((TimeSpan.FromSeconds(3), (TimeSpan?)TimeSpan.FromSeconds(2), (TimeSpan?)TimeSpan.FromSeconds(2))));
        Assert.That(end.EndedAt, Is.EqualTo(clock.GetUtcNow()));
    }

    [Test]
    public async Task Packets_without_a_handler_are_named()
    {
        await using var rig = new MainRig(change: options => options.Link.KnownPackets = [NumberPacket.Type]);
        WorkerProcess worker = rig.Main.StartWorker(TestHost.Start("worker-send", "3").With(new PacketRouter()));
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That(end.UnhandledByType, Is.EqualTo(new[] { new KeyValuePair<string, long>("Number (1024)", 3) }));
        Assert.That(end.Report, Does.Contain("3 packets had no handler: 3 x Number (1024); the first: Number (1024), 5 B, ce 00 00 00 01"));
        await using var other = new MainRig();
        end = await other.End(other.Main.StartWorker(TestHost.Start("worker-send", "2").With(new PacketRouter()))).ConfigureAwait(false);
        Assert.That(end.Report, Does.Contain("2 packets had no handler: 2 x type 1024; the first: type 1024, 5 B, ce 00 00 00 01"));
    }

    [Test]
    public async Task Packets_without_a_handler_have_the_names_that_the_worker_gives_them()
    {
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Main.StartWorker(TestHost.Start("worker-names").With(new PacketRouter()))).ConfigureAwait(false);
        Assert.That(end.UnhandledByType, Is.EqualTo(new[] { new KeyValuePair<string, long>("Number (1024)", 2) }));
        Assert.That(end.Report, Does.Contain("2 packets had no handler: 2 x Number (1024); the first: Number (1024), 5 B, ce 00 00 00 01"));
    }

    [Test]
    public async Task A_clean_end_has_one_too()
    {
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Start("worker-send", "3")).ConfigureAwait(false);
        Assert.That((end.Cause, end.Explanation, end.IsClean, end.LastPackets.Count), Is.EqualTo(("clean", (string?)null, true, 3)));
        Assert.That(end.Report, Is.EqualTo(end.ToString()).And.Not.Contain("\n"));
        Assert.That((end.PacketsLost, end.AllPacketsHandled), Is.EqualTo(((long?)0, true)));
        Assert.That(end.LastPackets.Select(p => p.Name), Is.All.EqualTo("type 1024"), "nobody has named it");
    }

    [Test]
    public async Task A_program_without_a_link_has_no_packets_and_no_times_of_them()
    {
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Start(Shell.Command("exit 7"))).ConfigureAwait(false);
        Assert.That((end.Link, end.SinceLastPacket, end.SinceLastFrame, end.LastPackets.Count),
            Is.EqualTo(((LinkEnd?)null, (TimeSpan?)null, (TimeSpan?)null, 0)));
        Assert.That(end.Details(), Does.Contain("never had a link"));
    }

    [Test]
    public async Task A_packet_whose_handler_hangs_and_requests_without_a_response_are_named()
    {
        var never = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var came = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var rig = new MainRig(change: options => options.Link.Heartbeat = new HeartbeatOptions
        {
            PingInterval = TimeSpan.FromMilliseconds(100), SilenceTimeout = TimeSpan.FromMilliseconds(500),
        });
        WorkerProcess worker = rig.Main.StartWorker(TestHost.Start("worker-answer").With(new PacketRouter().On(NumberPacket.Type, (_, _) =>
        {
            came.TrySetResult(true);
            return never.Task;
        })));
        Link link = await worker.WaitForLinkAsync().Within("the link");
        Task<int>[] asked = [.. Enumerable.Range(1, 2).Select(number => link.RequestAsync(NumberPacket.Type, NumberPacket.Type, number))];
        await foreach (int _ in link.RequestStreamAsync(NumberPacket.Count, NumberPacket.Type, 0))
        {
            break;   // the worker sends a packet when its stream is left
        }

        await came.Task.Within("the packet");
        worker.Kill("the test");
        WorkerExit exit = await worker.WaitForExitAsync().Within("its end");
        Assert.That(exit.Report, Does.Contain($"1 packet had come, and neither store nor handler had returned: {NumberPacket.Type}, urgent"));
        Assert.That(exit.Report, Does.Contain($"no response to 2 x {NumberPacket.Type}"));
        Assert.That(exit.PacketsLost, Is.Not.Zero);
        never.SetResult(true);
        foreach (Task<int> one in asked)
        {
            await Assert.ThrowsAsync<TransportException>(() => one);
        }
    }

    private sealed class FailingClock : TimeProvider
    {
        private volatile bool _fails;

        public bool Fails
        {
            get => _fails;
            set => _fails = value;
        }

        public override DateTimeOffset GetUtcNow() => Fails ? throw new InvalidOperationException("a defect") : base.GetUtcNow();
    }
}
