using System;
using System.Linq;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Tests.Sending.Schedules;

/// <summary>Every interleaving of a few callers with the send loop's writes, over nothing but the queue, its loop and a wire.</summary>
internal sealed class ScheduleTests
{
    /// <summary>Callers, separated by a bar; the calls of each in their order.</summary>
    private static readonly string[] Stories =
    [
        "normal | urgent | ack",
        "normal, normal | ack",
        "normal | ack, ping",
        "large | urgent",
        "large, bulk | complete",
        "normal | ack | complete",
        "normal, ack | answer",
        "complete, answer | urgent",
        "complete, ack | fault",
        "normal | bulk | fault",
        "normal, ping | break",
        "complete | break | bulk",
        "fault | break | normal",
        "normal, fault, end | urgent",
        "normal, break, end | ack",
        "drop, drop | complete",
        "bulk, drop | answer",
        "drop, bulk | complete | fault",
    ];

    /// <summary>Those with thousands of schedules; the others take a few hundred each.</summary>
    private static readonly string[] Long =
        ["normal | bulk | fault", "large, bulk | complete", "drop, bulk | complete | fault", "normal, fault, end | urgent"];

    [TestCaseSource(nameof(Stories))]
    public void Every_interleaving_writes_each_packet_once_in_order_or_counts_it_as_given_up(string story)
    {
        if (Long.Contains(story))
        {
            Nightly.Only("thousands of schedules");
        }

        string[][] callers = [.. story.Split('|').Select(caller => caller.Split(',').Select(call => call.Trim()).ToArray())];
        var schedule = new Schedule();
        do
        {
            try
            {
                new QueueRun(callers).Play(schedule);
            }
            catch (Exception e)
            {
                Assert.Fail($"Schedule {schedule.Count}: {schedule}: {e}");
            }
        }
        while (schedule.Next());
        TestContext.Out.WriteLine($"{schedule.Count} schedules, {schedule.Divergences} divergences");
        Assert.That(schedule.Divergences, Is.LessThanOrEqualTo(schedule.Count / 100), "almost every run can be repeated");
    }
}
