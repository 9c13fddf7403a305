using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;

namespace Transport.Tests.Packets;

/// <summary>Levels by category.</summary>
public sealed class LevelRulesTests
{
    [Test]
    public void The_longest_rule_holds_and_the_rest_has_the_default()
    {
        var rules = new LevelRules(
            PacketLevel.Warning, Rules(("A", PacketLevel.Error), ("a.b", PacketLevel.Debug), ("A.B.C", PacketLevel.None)));
        PacketLevel[] levels = [.. new[] { "", "B", "A", "a.x", "A.B", "A.Bx", "A.B.c.d" }.Select(rules.Of)];
        Assert.That(levels, Is.EqualTo(new[]
        {
            PacketLevel.Warning, PacketLevel.Warning, PacketLevel.Error, PacketLevel.Error, PacketLevel.Debug, PacketLevel.Debug,
            PacketLevel.None,
        }));
        Assert.That(rules.Least, Is.EqualTo(PacketLevel.Debug));
        Assert.That(new LevelRules(PacketLevel.Error).Least, Is.EqualTo(PacketLevel.Error));
    }

    [Test]
    public void What_cannot_be_a_rule_is_refused_by_name()
    {
        Assert.That(() => new LevelRules((PacketLevel)7), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(() => new LevelRules(0, Rules(("A", (PacketLevel)7))), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(() => new LevelRules(0, Rules(("", 0))), Throws.ArgumentException.With.Message.Contains("1 to 160 characters"));
        Assert.That(() => new LevelRules(0, Rules((new string('x', 161), 0))), Throws.ArgumentException);
        Assert.That(() => new LevelRules(0, Rules(("A", 0), ("a", 0))), Throws.ArgumentException);
        Assert.That(
            () => new LevelRules(0, Enumerable.Range(0, 129).Select(i => new KeyValuePair<string, PacketLevel>($"{i}", 0))),
            Throws.ArgumentException.With.Message.Contains("At most 128 categories"));
        Assert.That(() => new LevelRules(0).Of(null!), Throws.ArgumentNullException);
    }

    private static IEnumerable<KeyValuePair<string, PacketLevel>> Rules(params (string Category, PacketLevel Level)[] rules) =>
        rules.Select(rule => new KeyValuePair<string, PacketLevel>(rule.Category, rule.Level));
}
