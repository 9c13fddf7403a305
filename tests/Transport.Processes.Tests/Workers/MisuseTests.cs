using System;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;

namespace Transport.Processes.Tests.Workers;

/// <summary>A main node that is asked for what it cannot do.</summary>
public sealed class MisuseTests
{
    [Test]
    public async Task A_node_name_has_its_characters([Values("", "a b", "n/1", "\u00e9")] string name)
    {
        await using var rig = new MainRig();
        ArgumentException? refused = Assert.Throws<ArgumentException>(() => rig.Main.StartWorker(TestHost.Start("exit", "0"), node: name));
        Assert.That(refused!.Message, Does.Contain($"\"{name}\""));
        Assert.That(rig.Main.Workers, Is.Empty);
    }

    [Test]
    public async Task A_main_node_that_has_ended_starts_nobody()
    {
        MainNode main = MainNode.Start(new MainNodeOptions());
        await main.DisposeAsync().ConfigureAwait(false);
        Assert.Throws<ObjectDisposedException>(() => main.StartWorker(TestHost.Start("exit", "0")));
        Assert.That(main.Workers, Is.Empty);
    }
}
