using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>Today's departures from one rule, each with its size. The list may only shrink.</summary>
/// <remarks>
/// A departure that is not listed, or is larger than listed, fails the test. So does one that is listed and has become smaller or gone:
/// then the list is stale. With TRANSPORT_UPDATE_RULES=1 in the environment such entries are brought down to what they are; nothing is ever
/// added.
/// </remarks>
internal static class ExceptionList
{
    private const string Update = "TRANSPORT_UPDATE_RULES";

    /// <summary>Compares a rule's departures with its list.</summary>
    /// <param name="rule">The rule's name, and the name of its file in Exceptions.</param>
    /// <param name="departures">What departs from the rule, and by how much.</param>
    /// <param name="advice">What to do about a new one.</param>
    public static void Check(string rule, IEnumerable<KeyValuePair<string, int>> departures, string advice)
    {
        string path = Path.Combine(Repository.Root, "tests", "Transport.Rules", "Exceptions", rule + ".txt");
        var now = new SortedDictionary<string, int>(StringComparer.Ordinal);
        foreach ((string key, int size) in departures)
        {
            now[key] = now.GetValueOrDefault(key) + size;
        }

        bool isNew = !File.Exists(path);
        SortedDictionary<string, int> listed = isNew ? [] : Read(path);
        if (Environment.GetEnvironmentVariable(Update) == "1")
        {
            IEnumerable<KeyValuePair<string, int>> kept = isNew
                ? now
                : listed.Where(e => now.ContainsKey(e.Key)).Select(e => KeyValuePair.Create(e.Key, Math.Min(e.Value, now[e.Key])));
            listed = new SortedDictionary<string, int>(kept.ToDictionary(e => e.Key, e => e.Value), StringComparer.Ordinal);
            File.WriteAllText(path, string.Concat(listed.Select(e
                => string.Create(CultureInfo.InvariantCulture, $"{e.Value}\t{e.Key}\n"))), new UTF8Encoding(false));
        }

        string[] wrong = [.. now.Where(e => e.Value > listed.GetValueOrDefault(e.Key)).Select(e
            => $"{e.Key}: {e.Value}, listed {listed.GetValueOrDefault(e.Key)}")];
        string[] stale = [.. listed.Where(e => now.GetValueOrDefault(e.Key) < e.Value).Select(e
            => $"{e.Key}: {now.GetValueOrDefault(e.Key)}, listed {e.Value}")];
        TestContext.Out.WriteLine($"{rule}: {now.Count} departures of size {now.Values.Sum()}");
        Assert.That(wrong, Is.Empty, advice);
        Assert.That(stale, Is.Empty,
            $"{rule}.txt lists more than there is: run this test with {Update}=1 in the environment and commit the shorter list.");
    }

    private static SortedDictionary<string, int> Read(string path)
    {
        var listed = new SortedDictionary<string, int>(StringComparer.Ordinal);
        foreach (string line in File.ReadAllLines(path))
        {
            string[] parts = line.Split('\t', 2);
            listed.Add(parts[1], int.Parse(parts[0], CultureInfo.InvariantCulture));
        }

        return listed;
    }
}
