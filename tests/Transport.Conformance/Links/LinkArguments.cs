using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>A caller's mistake is named where it is made, before anything has happened; the link goes on.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkArguments(string wire)
{
    [Test]
    public async Task Null_arguments_are_named_and_the_link_goes_on()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var got = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().On(TestPackets.Text, got.SetResult));
        rig.Worker.Start(new PacketRouter());
        Link link = rig.Worker;
        (string Name, Action Call)[] calls =
        [
            ("packet", () => _ = link.TrySend(TestPackets.Text, null!)),
            ("packet", () => _ = link.Send(TestPackets.Text, null!, TimeSpan.Zero)),
            ("packet", () => _ = link.SendAsync(TestPackets.Text, null!).AsTask()),
            ("type", () => _ = link.TrySend(null!, "x")),
            ("reason", () => link.Abort(null!)),
            ("router", () => link.Start(null!)),
            ("request", () => _ = link.RequestAsync(TestPackets.Text, TestPackets.Text, null!)),
            ("responseType", () => _ = link.RequestAsync<string, string>(TestPackets.Text, null!, "x")),
            ("node", () => rig.Listener.Expect(null!)),
            ("secret", () => _ = Link.ConnectAsync(rig.Listener.Endpoint, null!)),
            ("endpoint", () => _ = Link.ConnectAsync(null!, LinkSecret.Create())),
        ];
        foreach ((string name, Action call) in calls)
        {
            Assert.That(Assert.Throws<ArgumentNullException>(() => call())!.ParamName, Is.EqualTo(name));
        }

        foreach (string name in (string[])["", "a b", "x\n", new string('n', 65)])
        {
            Assert.That(() => rig.Listener.Expect(name), Throws.ArgumentException.With.Message.Contains("cannot be used"));
        }

        Assert.That(link.TrySend(TestPackets.Text, "fine"), Is.EqualTo(SendResult.Queued));
        Assert.That(await got.Task.Within("the packet"), Is.EqualTo("fine"));
    }

    [Test]
    public async Task A_request_is_handled_behind_what_its_sender_sent_before()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        int handled = 0;
        rig.Main.Start(new PacketRouter()
            .On(TestPackets.Text, (_, _) => Interlocked.Increment(ref handled))
            .OnRequest(TestPackets.Text, TestPackets.Text,
                (_, _) => Task.FromResult(Volatile.Read(ref handled).ToString(System.Globalization.CultureInfo.InvariantCulture))));
        rig.Worker.Start(new PacketRouter());
        for (int i = 1; i <= 200; i++)
        {
            Assert.That(rig.Worker.TrySend(TestPackets.Text, new string('x', 1000)), Is.EqualTo(SendResult.Queued));
            if (i % 20 == 0)
            {
                string answer = await rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "how many?").Within("the answer");
                Assert.That(answer, Is.EqualTo(i.ToString(System.Globalization.CultureInfo.InvariantCulture)));
            }
        }
    }

    [Test]
    public async Task A_Cancel_overtakes_a_Request_that_waits_behind_others_and_still_counts()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        using var open = new ManualResetEventSlim();
        using var cancel = new CancellationTokenSource();
        int asked = 0;
        rig.Main.Start(new PacketRouter()
            .On(TestPackets.Text, (_, _) => open.Wait(WithinExtensions.Bound))
            .OnRequest(TestPackets.Text, TestPackets.Text, (text, _) =>
            {
                Interlocked.Add(ref asked, text == "given up" ? 1 : 0);
                return Task.FromResult("answer");
            }));
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySend(TestPackets.Text, "held");
        Task<string> request = rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "given up", cancellationToken: cancel.Token);
        Assert.That(SpinWait.SpinUntil(() => rig.Worker.Counters.PacketsSent == 2, WithinExtensions.Bound), Is.True);
        cancel.Cancel();
        Assert.That(SpinWait.SpinUntil(() => rig.Worker.Counters.PacketsSent == 3, WithinExtensions.Bound), Is.True);
        open.Set();
        Assert.That(async () => await request.Within("the cancelled wait"), Throws.InstanceOf<OperationCanceledException>());
        string after = await rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "another").Within("the next answer");
        Assert.That(after, Is.EqualTo("answer"));
    }
}
