using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>A thread that is interrupted while it waits in an append.</summary>
internal sealed class InterruptTests
{
    /// <summary>It left its place in line to nobody: the waiter that it was to wake, or the lead that was handed to it, waited for
    /// ever.</summary>
    [Test]
    public async Task An_interrupted_append_is_appended_and_stops_nobody_else()
    {
        var disk = new SimulatedDisk(31);
        PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions { Store = disk.Store(), SegmentBytes = 256 << 10 });
        using var held = new HeldCall(disk, "sync");
        Thread leader = Start(() => journal.Append(1, 100));
        Assert.That(held.WaitForOne(), Is.True);
        var keptInterrupts = new List<bool>();
        Thread[] waiting = [.. Enumerable.Range(0, 6).Select(_ => Start(() =>
        {
            journal.Append(2, 100);
            bool isKept = WasInterrupted();
            lock (keptInterrupts)
            {
                keptInterrupts.Add(isKept);
            }
        }))];
        Assert.That(SpinWait.SpinUntil(() => waiting.All(static w => w.ThreadState.HasFlag(ThreadState.WaitSleepJoin)),
            WithinExtensions.Bound), Is.True);
        foreach (Thread thread in waiting.Take(3))
        {
            thread.Interrupt();
        }

        held.Release();
        Assert.That(waiting.Append(leader).All(static t => t.Join(WithinExtensions.Bound)), Is.True, "every append ends");
        Assert.That(keptInterrupts.Count(static kept => kept), Is.EqualTo(3), "the interrupt is for whatever the thread waits for next");
        Assert.That(journal.Append(3, 100), Is.EqualTo(8));
        await journal.CloseAsync().AsTask().Within("the close");
        Assert.That(JournalVerifier.Verify(disk.Store()).IsValid, Is.True);
    }

    private static bool WasInterrupted()
    {
        try
        {
            using var never = new ManualResetEventSlim();
            return never.Wait(1);
        }
        catch (ThreadInterruptedException)
        {
            return true;
        }
    }

    private static Thread Start(Action run)
    {
        var thread = new Thread(() => run()) { IsBackground = true };
        thread.Start();
        return thread;
    }
}
