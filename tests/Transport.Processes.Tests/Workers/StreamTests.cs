using System.Collections.Generic;
using System.Diagnostics;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>A stream without end whose sender is another process.</summary>
internal sealed class StreamTests
{
    private MainRig _rig = null!;

    [SetUp]
    public void Begin() => _rig = new MainRig();

    [TearDown]
    public async Task End() => await _rig.DisposeAsync();

    [Test]
    public async Task The_end_of_a_killed_sender_is_the_end_of_the_stream_with_its_cause_behind_what_arrived()
    {
        WorkerProcess worker = _rig.Start("worker-answer");
        Link link = await worker.WaitForLinkAsync().Within("the link");
        int read = 0;
        TransportException? end = null;
        try
        {
            await foreach (int number in link.RequestStreamAsync(NumberPacket.Count, NumberPacket.Type, 0))
            {
                Assert.That(number, Is.EqualTo(read++));
                if (read == 1_000)
                {
                    worker.Kill("to see what its reader sees");
                }
            }
        }
        catch (TransportException e)
        {
            end = e;
        }

        Assert.That(end?.Fault, Is.EqualTo(TransportFault.PeerGone), end?.Message);
        Assert.That(read, Is.AtLeast(1_000));
        WorkerExit exit = await _rig.End(worker);
        Assert.That((exit.Cause, exit.KillReason), Is.EqualTo(("killed SIGKILL", "to see what its reader sees")));
    }

    [Test]
    public async Task A_reader_that_stops_is_noticed_by_a_sender_that_waits_for_credit()
    {
        WorkerProcess worker = _rig.Start("worker-answer");
        Link link = await worker.WaitForLinkAsync().Within("the link");
        var stopped = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        _rig.Received = _ => stopped.TrySetResult(Stopwatch.GetTimestamp());
        IAsyncEnumerator<int> reader = link.RequestStreamAsync(NumberPacket.Count, NumberPacket.Type, 0).GetAsyncEnumerator();
        for (int i = 0; i < 10_000; i++)
        {
            Assert.That(await reader.MoveNextAsync(), Is.True);
        }

        Assert.That(_rig.Numbers, Is.Empty, "it goes on while it is read");
        long at = Stopwatch.GetTimestamp();
        await reader.DisposeAsync();
        long noticed = await stopped.Task.Within("the sender's last packet");
        TestContext.Out.WriteLine($"stopped after {(noticed - at) * 1000.0 / Stopwatch.Frequency:f1} ms");
        Assert.That(_rig.Numbers, Is.EqualTo(new[] { 7 }));
        worker.Kill("the test is over");
    }
}
