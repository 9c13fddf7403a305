using NUnit.Framework;

namespace Transport.Journal.Tests.Spill;

/// <summary>What a user sees who prints a result.</summary>
internal sealed class ResultTextTests
{
    [Test]
    public void Statistics_are_a_sentence()
    {
        var statistics = new SpillStatus { Direct = 1000, Spilled = 200, SentLater = 200, IsDelivered = true };
        const string Counts = "1000 packets sent directly, 200 spilled, 200 sent later, 0 waiting, 0 refused; ";
        Assert.That(statistics.ToString(), Is.EqualTo(Counts + "everything is acknowledged."));
        Assert.That((statistics with { IsDelivered = false }).ToString(), Is.EqualTo(Counts + "not everything is acknowledged."));
    }

    [Test]
    public void A_report_is_event_and_message() =>
        Assert.That(
            new SpillReport { Event = SpillEvent.Away, Message = "The link has ended." }.ToString(),
            Is.EqualTo("Away: The link has ended."));
}
