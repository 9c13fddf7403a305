using System.Collections;
using System.Collections.Generic;
using NUnit.Framework;

namespace Transport.MSBuild.Tests.Events;

/// <summary>What a task's own event may hold must not hang the build that raises it.</summary>
internal sealed class EventValuesTests
{
    [Test]
    public void A_sequence_without_end_is_cut()
    {
        object?[] values = (object?[])EventValues.Of(Endless())!;
        Assert.That((values.Length, values[0], values[^1]), Is.EqualTo(((1 << 20) + 1, (object)"again", (object)"… (cut)")));
    }

    [Test]
    public void Sequences_of_sequences_without_end_are_cut_in_all()
    {
        object?[] values = (object?[])EventValues.Of(new object[] { Endless(), Endless() })!;
        Assert.That((((object?[])values[0]!).Length, values[1]), Is.EqualTo(((1 << 20) - 1 + 1, (object)"… (cut)")));
    }

    [Test]
    public void Pairs_without_end_are_cut() => 
        Assert.That(((BuildEventMap)EventValues.Of(Pairs())!).Entries.Length, Is.EqualTo((1 << 20) + 1));

    [Test]
    public void A_list_that_holds_itself_is_cut()
    {
        var self = new ArrayList();
        self.Add(self);
        object? value = EventValues.Of(self);
        int depth = 0;
        for (; value is object?[] { Length: 1 } list; depth++)
        {
            value = list[0];
        }

        Assert.That((depth, value), Is.EqualTo((32, (object)"… (cut)")));
    }

    private static IEnumerable Endless()
    {
        while (true)
        {
            yield return "again";
        }
    }

    private static IEnumerable<KeyValuePair<string, string>> Pairs()
    {
        while (true)
        {
            yield return new("again", "and again");
        }
    }
}
