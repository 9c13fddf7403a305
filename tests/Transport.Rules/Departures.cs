using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>What departs from a rule. No rule has exceptions.</summary>
internal static class Departures
{
    /// <summary>Fails with each departure by name.</summary>
    /// <param name="departures">What departs from the rule, and by how much.</param>
    /// <param name="advice">What to do about one.</param>
    public static void MustBeNone(IEnumerable<KeyValuePair<string, int>> departures, string advice) =>
        Assert.That(
            departures.GroupBy(one => one.Key)
                .Select(one => string.Create(CultureInfo.InvariantCulture, $"{one.Key}: {one.Sum(departure => departure.Value)}")).Order(),
            Is.Empty, advice);
}
