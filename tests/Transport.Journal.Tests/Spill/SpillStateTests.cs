using System;
using NUnit.Framework;

namespace Transport.Journal.Tests.Spill;

/// <summary>The transition table, cell by cell.</summary>
internal sealed class SpillStateTests
{
    /// <summary>As <see cref="SpillState"/> documents it; a minus sign stands for what cannot happen.</summary>
    private const string Table = """
        Away       Draining Away CommittedSent=Away       AllSent=Away   NoCapacity=Away
        Draining   -        Away CommittedSent=CatchingUp AllSent=Direct NoCapacity=Draining
        CatchingUp -        Away CommittedSent=CatchingUp AllSent=Direct NoCapacity=Draining
        Direct     -        Away CommittedSent=-          AllSent=Direct NoCapacity=Draining
        """;

    [Test]
    public void Every_cell_of_the_table_holds()
    {
        string[] rows = Table.Split('\n');
        Assert.That(rows, Has.Length.EqualTo(Enum.GetValues(typeof(SpillState)).Length));
        foreach (string row in rows)
        {
            string[] cells = row.Split([' '], StringSplitOptions.RemoveEmptyEntries);
            Assert.That(cells, Has.Length.EqualTo(1 + Enum.GetValues(typeof(SpillChange)).Length));
            var state = (SpillState)Enum.Parse(typeof(SpillState), cells[0]);
            for (int i = 1; i < cells.Length; i++)
            {
                var change = (SpillChange)(i - 1);
                string next = cells[i].Substring(cells[i].IndexOf('=') + 1).Trim();
                if (next == "-")
                {
                    Assert.Throws<InvalidOperationException>(() => SpillTransitions.Next(state, change), $"{state}, {change}");
                }
                else
                {
                    Assert.That(SpillTransitions.Next(state, change).ToString(), Is.EqualTo(next), $"{state}, {change}");
                }
            }
        }
    }
}
