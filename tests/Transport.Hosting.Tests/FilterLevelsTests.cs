using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.Logging;
using NUnit.Framework;

namespace Transport.Hosting.Tests;

/// <summary>The rules that travel to workers, held against what a logger factory itself decides.</summary>
public sealed class FilterLevelsTests
{
    private static readonly string[] Words = ["", "A", "A.B", "A.B.C", "a.bX", "B", "B.A"];

    [Test]
    public void What_any_provider_of_the_host_takes_is_sent_and_nothing_else([Values(1, 2, 3)] int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int round = 0; round < 100; round++)
        {
            LoggerFilterOptions filters = Filters(random, _ => new LoggerFilterRule(Provider(random), Word(random), Level(random), null));
            ForEach(filters, (category, level, isTaken, isSent) => Assert.That(
                isSent, Is.EqualTo(isTaken), () => $"round {round}: {category} {level} of\n{string.Join("\n", filters.Rules)}"));
        }
    }

    [Test]
    public void A_filter_function_and_a_star_take_no_event_away([Values(1, 2, 3)] int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int round = 0; round < 100; round++)
        {
            LoggerFilterOptions filters = Filters(random, _ => new LoggerFilterRule(
                Provider(random),
                random.Next(2) == 0 ? $"{Word(random)}*{Word(random)}" : Word(random),
                random.Next(4) == 0 ? null : Level(random),
                random.Next(3) == 0 ? (_, category, _) => category?.Length % 2 == 0 : null));
            ForEach(filters, (category, level, isTaken, isSent) => Assert.That(
                isSent || !isTaken, Is.True, () => $"round {round}: {category} {level} of\n{string.Join("\n", filters.Rules)}"));
        }
    }

    [Test]
    public void Too_many_rules_and_too_long_ones_take_no_event_away()
    {
        var filters = new LoggerFilterOptions { MinLevel = LogLevel.Warning };
        for (int i = 0; i < 300; i++)
        {
            filters.Rules.Add(new LoggerFilterRule(null, $"Category.{i}", i % 2 == 0 ? LogLevel.Error : LogLevel.Debug, null));
        }

        filters.Rules.Add(new LoggerFilterRule(null, new string('x', 200), LogLevel.Trace, null));
        LevelRules rules = FilterLevels.Of(filters);
        Assert.That(rules.Categories, Has.Count.LessThanOrEqualTo(LevelRules.MaxCategories));
        Assert.That(rules.Of(new string('x', 200)), Is.EqualTo(PacketLevel.Trace));
        Assert.That(Enumerable.Range(0, 300).All(i => rules.Of($"Category.{i}") <= (i % 2 == 0 ? PacketLevel.Error : PacketLevel.Debug)));
    }

    private static LoggerFilterOptions Filters(Random random, Func<int, LoggerFilterRule> rule)
    {
        var filters = new LoggerFilterOptions { MinLevel = Level(random) };
        foreach (LoggerFilterRule one in Enumerable.Range(0, random.Next(8)).Select(rule))
        {
            filters.Rules.Add(one);
        }

        return filters;
    }

    private static void ForEach(LoggerFilterOptions filters, Action<string, LogLevel, bool, bool> look)
    {
        LevelRules rules = FilterLevels.Of(filters);
        using var factory = new LoggerFactory([new One(), new Two(), new LogRecorder()], filters);
        foreach (string category in Words.SelectMany(word => (string[])[word, word + ".x", "C." + word]))
        {
            ILogger log = factory.CreateLogger(category);
            for (LogLevel level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            {
                look(category, level, log.IsEnabled(level), (PacketLevel)level >= rules.Of(category));
            }
        }
    }

    private static string? Provider(Random random) => random.Next(4) switch { 0 => "One", 1 => typeof(Two).FullName, _ => null };

    private static string Word(Random random) => Words[random.Next(Words.Length)];

    private static LogLevel Level(Random random) => (LogLevel)random.Next(7);

    [ProviderAlias("One")]
    private sealed class One : ILoggerProvider
    {
        private readonly LogRecorder _log = new();

        public ILogger CreateLogger(string categoryName) => _log.CreateLogger(categoryName);

        public void Dispose() => _log.Dispose();
    }

    private sealed class Two : ILoggerProvider
    {
        private readonly LogRecorder _log = new();

        public ILogger CreateLogger(string categoryName) => _log.CreateLogger(categoryName);

        public void Dispose() => _log.Dispose();
    }
}
