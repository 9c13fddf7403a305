using System;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Clients;

/// <summary>Clients that break one rule each (tests/clients/hostile.py): the link ends as PROTOCOL.md says, and the other side is
/// reported.</summary>
[TestFixture("unix")]
[TestFixture("inherited")]
public sealed class HostileClientTests(string wire)
{
    [TestCase("garbage", "FrameCorrupt")]
    [TestCase("http", "FrameCorrupt")]
    [TestCase("claim-4g", "FrameCorrupt")]
    [TestCase("huge-hello", "FrameCorrupt")]
    [TestCase("silence", "HandshakeTimeout")]
    [TestCase("half-hello", "HandshakeTimeout")]
    public async Task What_is_no_frame_or_comes_too_late_gets_no_answer(string mode, string cause)
    {
        if (wire == WireKinds.Inherited && mode == "silence")
        {
            Assert.Ignore("A child that has said nothing starts; for that it has MainNodeOptions.ConnectTimeout.");
        }

        ClientRun run = await ClientRun.OfAsync("tests/clients/hostile.py", [mode], wire, change: o =>
            o.HandshakeTimeout = cause == "HandshakeTimeout" ? TimeSpan.FromSeconds(1) : WithinExtensions.Bound).ConfigureAwait(false);
        Assert.That(run.Words, Is.EqualTo(new[] { "eof" }).Or.EqualTo(new[] { "reset" }));
        Assert.That(run.Refused.Select(r => r.Code), Is.EqualTo(new[] { cause }));
        Assert.That((run.End.Connected, run.End.Cause), Is.EqualTo((false, cause)));
    }

    [TestCase("nested-hello", "malformed")]
    [TestCase("array-hello", "malformed")]
    [TestCase("no-secret", "malformed")]
    [TestCase("short-secret", "malformed")]
    [TestCase("log-first", "malformed")]
    [TestCase("wrong-secret", "secret")]
    [TestCase("other-protocol", "protocol")]
    [TestCase("version-9", "version")]
    [TestCase("all-wrong", "secret")]
    public async Task A_handshake_that_fails_is_answered_with_its_code(string mode, string code)
    {
        ClientRun run = await ClientRun.OfAsync("tests/clients/hostile.py", [mode], wire).ConfigureAwait(false);
        Assert.That(run.Words.First(), Is.EqualTo("reject:" + code));
        Assert.That(run.Words.Last(), Is.EqualTo("eof").Or.EqualTo("reset"));
        Assert.That(run.Refused.Select(r => r.Code), Is.EqualTo(new[] { code }));
        Assert.That((run.End.Connected, run.End.Cause), Is.EqualTo((false, "rejected " + code)));
    }

    [Promise("Trust", "Malformed bytes end their own link with a named fault; valid packets before them are handled.")]
    [TestCase("late-garbage", "FrameCorrupt")]
    [TestCase("late-claim-4g", "FrameCorrupt")]
    [TestCase("length-0", "FrameCorrupt")]
    [TestCase("length-65537", "FrameCorrupt")]
    [TestCase("more-on-control", "FrameCorrupt")]
    [TestCase("log-on-control", "FrameCorrupt")]
    [TestCase("ping-on-normal", "FrameCorrupt")]
    [TestCase("reserved-bit", "FrameCorrupt")]
    [TestCase("other-chunk", "FrameCorrupt")]
    [TestCase("too-large", "PacketTooLarge")]
    [TestCase("nested", "PacketMalformed")]
    [TestCase("nested-unknown", "PacketMalformed")]
    [TestCase("two-values", "PacketMalformed")]
    [TestCase("cut-body", "PacketMalformed")]
    [TestCase("level-9", "PacketMalformed")]
    [TestCase("not-utf8", "PacketMalformed")]
    [TestCase("table-id", "PacketMalformed")]
    [TestCase("claimed-map", "PacketMalformed")]
    [TestCase("second-hello", "PacketMalformed")]
    public async Task A_fault_ends_the_link_with_its_name_after_the_valid_packets(string mode, string fault)
    {
        // An ended link gives its last packets 250 ms; this clock stands still, so they have all the time they need.
        ClientRun run = await ClientRun.OfAsync("tests/clients/hostile.py", [mode], wire, change: o => o.TimeProvider = new ManualClock())
            .ConfigureAwait(false);
        Assert.That(run.End.Link?.Fault.ToString(), Is.EqualTo(fault));
        Assert.That(run.End.Link!.Reason, Is.Not.Empty, "a sentence that says what was expected and what came");
        Assert.That(run.Events.Select(e => e.Message), Is.EqualTo(new[] { "valid" }), "what came before the fault is delivered");
        Assert.That(run.Words, Does.Contain("goodbye:" + fault));
        Assert.That(run.Words, Does.Contain("detail:" + run.End.Link.Reason.Replace(' ', '_')), "and what the client did wrong");
        Assert.That(run.Words.Last(), Is.EqualTo("eof").Or.EqualTo("reset"));
    }

    [TestCase("cut-frame", 1)]
    [TestCase("no-goodbye", 2)]
    public async Task A_stream_that_ends_without_Goodbye_is_a_broken_link(string mode, int events)
    {
        ClientRun run = await ClientRun.OfAsync("tests/clients/hostile.py", [mode], wire).ConfigureAwait(false);
        Assert.That(run.End.Link?.Fault, Is.EqualTo(TransportFault.PeerGone));
        Assert.That((run.Events.Count, run.Receipt.PeerSent), Is.EqualTo((events, (long?)null)));
    }

    [Test]
    public async Task A_spent_secret_lets_nobody_in_and_leaves_the_first_link_alone()
    {
        if (wire == WireKinds.Inherited)
        {
            Assert.Ignore("Over inherited pipes nobody connects twice.");
        }

        ClientRun run = await ClientRun.OfAsync("tests/clients/hostile.py", ["spent-secret"], wire).ConfigureAwait(false);
        Assert.That(run.Words.Take(2), Is.EqualTo(new[] { "welcome", "reject:secret" }));
        Assert.That((run.End.Cause, run.Words.Contains("goodbye:clean")), Is.EqualTo(("clean", true)));
    }

    [TestCase("padded-hello")]
    [TestCase("valid")]
    public async Task A_client_that_breaks_no_rule_ends_cleanly(string mode)
    {
        ClientRun run = await ClientRun.OfAsync("tests/clients/hostile.py", [mode], wire).ConfigureAwait(false);
        Assert.That((run.End.Cause, run.Words[0]), Is.EqualTo(("clean", "welcome")));
    }
}
