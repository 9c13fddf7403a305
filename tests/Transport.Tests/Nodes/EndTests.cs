using System.Collections.Generic;
using NUnit.Framework;
using Transport.Testing.Links;

namespace Transport.Tests.Nodes;

public sealed class EndTests
{
    [TestCase(0x0000, "exit 0", 0)]
    [TestCase(0x0300, "exit 3", 3)]
    [TestCase(0x8900, "exit 137", 137)]
    [TestCase(9, "killed SIGKILL", 137)]
    [TestCase(15, "killed SIGTERM", 143)]
    [TestCase(0x80 | 11, "killed SIGSEGV", 139)]
    [TestCase(36, "killed SIGRTMIN+2", 164)]
    public void Wait_status_reads_as_it_is(int status, string text, int shell)
    {
        ProcessExit end = ProcessExit.FromWaitStatus(status);
        Assert.That(end.ToString(), Is.EqualTo(text));
        Assert.That(end.ShellExitCode, Is.EqualTo(shell));
        Assert.That(end.CoreDumped, Is.EqualTo((status & 0x80) != 0 && end.Signal is not null));
    }

    [TestCase(10, false, "SIGUSR1")]
    [TestCase(10, true, "SIGBUS")]
    [TestCase(31, false, "SIGSYS")]
    [TestCase(31, true, "SIGUSR2")]
    [TestCase(64, false, "SIGRTMIN+30")]
    [TestCase(99, false, "signal 99")]
    [TestCase(0, true, "signal 0")]
    public void Signals_are_named_per_system(int signal, bool mac, string name) =>
        Assert.That(SignalNames.Of(signal, mac), Is.EqualTo(name));

    [Test]
    public void A_exit_report_can_be_read_though_the_message_of_what_the_output_threw_cannot() => Assert.That(
        new WorkerExit { Node = "n1", Cause = "exit 1", OutputFault = new UnreadableException() }.Details(),
        Has.Some.Contain("its output was not taken to its end: ").And.Some.Contain(nameof(UnreadableException)));

    // status, link's fault (null: never connected), refused, too late, killed by us after the link's end
    [TestCase(0, TransportFault.None, null, false, false, "clean")]
    [TestCase(0x300, TransportFault.None, null, false, false, "exit 3")]
    [TestCase(15, TransportFault.None, null, false, false, "killed SIGTERM")]
    [TestCase(9, TransportFault.PeerGone, null, false, false, "killed SIGKILL")]
    [TestCase(0x8900, TransportFault.PeerGone, null, false, false, "exit 137")]
    [TestCase(0, TransportFault.PeerGone, null, false, false, "PeerGone; exit 0")]
    [TestCase(9, TransportFault.PeerGone, null, false, true, "PeerGone; killed SIGKILL")]
    [TestCase(0x100, TransportFault.FrameCorrupt, null, false, false, "FrameCorrupt; exit 1")]
    [TestCase(9, TransportFault.Timeout, null, false, true, "Timeout; killed SIGKILL")]
    [TestCase(0, TransportFault.FrameCorrupt, null, false, false, "FrameCorrupt")]
    [TestCase(0x300, null, null, false, false, "exit 3")]
    [TestCase(0, null, null, false, false, "exit 0")]
    [TestCase(0x300, null, "secret", false, false, "rejected secret; exit 3")]
    [TestCase(0, null, "version", false, false, "rejected version")]
    [TestCase(0x100, null, "FrameCorrupt", false, false, "FrameCorrupt; exit 1")]
    [TestCase(9, null, null, true, false, "HandshakeTimeout; killed SIGKILL")]
    [TestCase(9, null, "PeerGone", false, false, "killed SIGKILL")]
    [TestCase(9, null, "Aborted", false, false, "killed SIGKILL")]
    [TestCase(0x100, null, "PeerGone", false, false, "exit 1")]
    [TestCase(0, null, "PeerGone", false, false, "PeerGone; exit 0")]
    public void Cause_is_what_came_first(
        int status, TransportFault? fault, string? refused, bool tooLate, bool killedAfterLink, string expected)
    {
        LinkEnd? link = fault is null ? null : new LinkEnd(fault.Value, "for the test", null, new LinkReceipt());
        Assert.That(EndCause.Of(ProcessExit.FromWaitStatus(status), link, refused, tooLate, killedAfterLink), Is.EqualTo(expected));
    }
}
