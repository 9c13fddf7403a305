using System;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Tests.Nodes;

public sealed class OptionsTests
{
    [Test]
    public void Every_fault_is_reported_at_once()
    {
        var options = new MainNodeOptions { Wire = (WireKind)7, NodePrefix = "a b", ConnectTimeout = TimeSpan.Zero,
            BrokenLinkGrace = TimeSpan.FromDays(1) };
        options.Link.MaxPacketBytes = 3;
        ArgumentException thrown = Assert.Throws<ArgumentException>(() => MainNode.Start(options))!;
        foreach (string name in new[] { "Wire = 7, allowed: UnixSocket, NamedPipe, or Inherited without an Endpoint", "NodePrefix",
            "ConnectTimeout", "BrokenLinkGrace", "Link.MaxPacketBytes" })
        {
            Assert.That(thrown.Message, Does.Contain(name));
        }
    }

    [Test]
    public void Options_for_the_links_do_not_rename_the_main_node()
    {
        Assert.That(new MainNodeOptions { Link = new LinkOptions { MinimumLevel = PacketLevel.Information } }.CheckedCopy().Link.Node,
            Is.EqualTo("main"));
        LinkOptions named = new MainNodeOptions { Link = new LinkOptions { Node = "node" } }.CheckedCopy().Link;
        Assert.That(named.Node, Is.EqualTo("node"), "a name that was given stays");
        Assert.That(new LinkOptions().ForConnector().Node, Is.EqualTo("worker"));
    }

    [Test]
    public void Defaults_are_valid() => Assert.DoesNotThrow(() => new MainNodeOptions().CheckedCopy());

    [Test]
    public async Task Program_that_no_main_node_started_is_reported_so()
    {
        Assert.That(WorkerHost.IsWorker, Is.False);
        TransportException thrown = (await Assert.ThrowsAsync<TransportException>(() => WorkerHost.ConnectAsync()).ConfigureAwait(false))!;
        Assert.That(thrown.Fault, Is.EqualTo(TransportFault.BadConfiguration));
        Assert.That(thrown.Message, Does.Contain("is a worker").And.Contain("TRANSPORT_ENDPOINT"));
    }
}
