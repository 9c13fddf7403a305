using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;

namespace Transport.Hosting.Tests;

/// <summary>A worker chooses its categories, and a logger factory keeps each for ever: 100,000 of them were 102 MiB.</summary>
public sealed class RemoteLoggersTests
{
    private static readonly DateTimeOffset Time = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    [Test]
    public void A_hundred_thousand_categories_of_a_worker_are_bounded_and_their_events_are_logged_all_the_same()
    {
        using var factory = new CountingFactory();
        var remote = new RemoteLoggers(factory);
        for (int i = 0; i < 100_000; i++)
        {
            remote.Write(new LogEvent { Time = Time, Level = LogLevel.Information, Category = "C" + i, Message = "m" + i }, "n1");
        }

        Assert.That(factory.Made, Has.Count.EqualTo(RemoteLoggers.MaxCategories + 1));
        Assert.That(factory.Made, Has.Some.EqualTo("C0").And.Some.EqualTo(RemoteLoggers.Others));
        Assert.That(factory.Lines.Count(line => line.StartsWith("Information", StringComparison.Ordinal)), Is.EqualTo(100_000));
        Assert.That(factory.Lines.Count(line => line.StartsWith("Warning", StringComparison.Ordinal)), Is.EqualTo(1), "told once");
        Assert.That(factory.Lines[^1], Is.EqualTo($"Information {RemoteLoggers.Others} [C99999] m99999"));
    }

    [Test]
    public void A_category_of_a_million_characters_is_none_of_its_own()
    {
        using var factory = new CountingFactory();
        new RemoteLoggers(factory).Write(new LogEvent { Time = Time, Level = LogLevel.Information, Category = new string('x', 1_000_000), Message = "m" }, "n1");
        Assert.That(factory.Made, Is.All.EqualTo(RemoteLoggers.Others));
        Assert.That(factory.Lines[^1].Length, Is.LessThan(2000));
    }

    private sealed class CountingFactory : ILoggerFactory
    {
        private readonly Dictionary<string, ILogger> _loggers = new(StringComparer.Ordinal);

        public IReadOnlyCollection<string> Made => _loggers.Keys;

        public List<string> Lines { get; } = [];

        public ILogger CreateLogger(string categoryName)
        {
            if (!_loggers.TryGetValue(categoryName, out ILogger? known))
            {
                _loggers[categoryName] = known = new Recording(this, categoryName);
            }

            return known;
        }

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public void Dispose()
        {
        }
    }

    private sealed class Recording(CountingFactory factory, string category) : ILogger
    {
        private string _scope = string.Empty;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
        {
            // Of the host's own scope; those of the event have more.
            _scope = state is string text ? $"[{text}] " : _scope;
            return null;
        }

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            factory.Lines.Add($"{logLevel} {category} {_scope}{formatter(state, exception)}");
    }
}
