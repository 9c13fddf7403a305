using System.Collections.Generic;
using System.Linq;
using BuildHarness.Replay;
using NUnit.Framework;
using Transport.MSBuild;

namespace BuildHarness.Tests.Replay;

[TestFixture]
internal sealed class BuildEventHashTests
{
    private static readonly object?[] s_fields = [1L, "sub", true, 0.5, new byte[] { 1 }, null, new BuildEventMap([new("a", "b")])];

    [Test]
    public void A_change_in_any_one_field_changes_the_hash()
    {
        BuildEvent[] all =
        [
            One(), One(kind: BuildEventKind.CriticalMessage), One(ticks: 43), One(sender: null), One(message: "said"),
            One(context: new BuildEventIds { Task = 8 }),
            .. s_fields.Select((_, changed) => One(fields: [.. s_fields.Select((field, i) => i == changed ? "changed" : field)])),
        ];
        Assert.That(all.Select(one => HashOf(one)), Is.Unique);
        string first = HashOf(One());
        Assert.That(HashOf(One()), Is.EqualTo(first));
    }

    [Test]
    public void Text_cannot_move_from_one_field_to_the_next_unseen()
    {
        Assert.That(HashOf(One(sender: "ab", message: "c")), Is.Not.EqualTo(HashOf(One(sender: "a", message: "bc"))));
        Assert.That(HashOf(One(fields: ["a", null])), Is.Not.EqualTo(HashOf(One(fields: [null, "a"]))));
        Assert.That(HashOf(One(fields: [new object?[] { "a" }, "b"])), Is.Not.EqualTo(HashOf(One(fields: [new object?[] { "a", "b" }]))));
    }

    [Test]
    public void The_order_of_events_counts() =>
        Assert.That(HashOf(One(message: "1"), One(message: "2")), Is.Not.EqualTo(HashOf(One(message: "2"), One(message: "1"))));

    private static string HashOf(params IEnumerable<BuildEvent> events)
    {
        using var hash = new BuildEventHash();
        foreach (BuildEvent one in events)
        {
            hash.Add(one);
        }

        return hash.Finish();
    }

    private static BuildEvent One(
        BuildEventKind kind = BuildEventKind.Message,
        long ticks = 42,
        string? sender = "me",
        string? message = "say",
        BuildEventIds? context = null,
        object?[]? fields = null) => new()
        {
            Kind = kind, Ticks = ticks, Sender = sender, Message = message, Context = context ?? new BuildEventIds { Task = 7 },
            Fields = fields ?? s_fields,
        };
}
