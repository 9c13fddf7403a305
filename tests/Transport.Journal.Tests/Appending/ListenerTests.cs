using System;
using System.Diagnostics.Tracing;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>Listeners to a journal's events may do with the journal what they like.</summary>
[NonParallelizable]
internal sealed class ListenerTests
{
    /// <summary>It was called on the journal's own thread, and closing waits for that thread.</summary>
    [TestCase("NoCapacity")]
    [TestCase("Failed")]
    public async Task A_listener_may_close_the_journal(string name)
    {
        if (Type.GetType("Mono.Runtime") is not null)
        {
            Assert.Ignore("Mono's EventSource has no listeners.");
        }

        var disk = new SimulatedDisk(43);
        using PacketJournal journal = PacketJournal.Open("simulated", new JournalOptions
        {
            Store = disk.Store(), SegmentBytes = 64 << 10, MaxBytes = 128 << 10, MaxPacketBytes = 60_000,
        });
        var closed = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var listener = new Listener(name, () =>
        {
            journal.Dispose();
            closed.TrySetResult(true);
        });
        disk.Inject = (call, _) => name == "Failed" && call == "sync" ? StoreError.Broken : StoreError.None;
        while (journal.TryAppend(Numbered.Node, 1024, Numbered.Body(1, 1000), out _) == SendResult.Queued)
        {
        }

        await closed.Task.Within("the listener");
    }

    private sealed class Listener(string name, Action heard) : EventListener
    {
        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "Transport-Journal")
            {
                EnableEvents(eventSource, EventLevel.Verbose);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName == name && eventData.Payload?[0] as string == "simulated")
            {
                heard();
            }
        }
    }
}
