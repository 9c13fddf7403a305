using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;

namespace Transport.Tests.Logging;

/// <summary>An event of a worker, logged at the main node: its providers see it as one of their own.</summary>
internal sealed class RemoteEventTests
{
    private static readonly DateTimeOffset Time = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    [Test]
    public void An_event_is_logged_with_its_category_level_id_properties_scopes_and_exception()
    {
        using var seen = new Seen();
        using ILoggerFactory factory = LoggerFactory.Create(builder => builder.AddProvider(seen).SetMinimumLevel(LogLevel.Trace));
        Event().WriteTo(factory, "n1");
        Entry entry = seen.Entries.Single();
        Assert.Multiple(() =>
        {
            Assert.That((entry.Category, entry.Level, entry.Id.Id, entry.Id.Name), Is.EqualTo(("Compiler", LogLevel.Warning, 7, "Slow")));
            Assert.That(entry.Message, Is.EqualTo("Compiled a.cs in 40 ms"));
            Assert.That(entry.State, Is.EqualTo(new KeyValuePair<string, object?>[]
            {
                new("File", "a.cs"), new("Ms", 40L), new("Ratio", 0.5), new("Cached", true), new("Hash", null),
                new("{OriginalFormat}", "Compiled {File} in {Ms} ms"),
            }));
            Assert.That(entry.Scopes.Select(s => s.Text), Is.EqualTo(new[] { "n1", "Build 5", "plain" }));
            Assert.That(entry.Scopes[0].Pairs, Is.EqualTo(new KeyValuePair<string, object?>[]
            {
                new("Node", "n1"), new("Time", "2026-01-02T03:04:05.0000000+00:00"),
            }));
            Assert.That(entry.Scopes[1].Pairs, Is.EqualTo(new KeyValuePair<string, object?>[] { new("Id", 5L) }));
            Assert.That(entry.Exception, Is.InstanceOf<RemoteException>());
            Assert.That(entry.Exception!.Message, Is.EqualTo("broken"));
        });
    }

    /// <summary>The console's own logger writes texts as they are: a worker's escape sequences arrived at the main node's
    /// terminal.</summary>
    [Test]
    public void What_a_terminal_obeys_is_escaped_in_every_text_and_lines_are_kept()
    {
        using var seen = new Seen();
        using ILoggerFactory factory = LoggerFactory.Create(builder => builder.AddProvider(seen));
        new LogEvent
        {
            Time = Time,
            Level = LogLevel.Warning,
            Category = "A\u001b[2J\nB",
            Message = "one\u001b]0;x\u0007\ntwo\rthree",
            Exception = "T: bad\u001b[31m\n   at X\u009b()",
            Scopes = [new LogScope("s\u001bc", []), new LogScope("t\u001bc", [new LogProperty("P", "v\u001b")])],
            Properties = [new LogProperty("Q", "w\u001b")],
        }.WriteTo(factory, "n1");
        Entry entry = seen.Entries.Single();
        Assert.That(entry.Category, Is.EqualTo("A\\u001b[2J\\u000aB"));
        Assert.That(entry.Message, Is.EqualTo("one\\u001b]0;x\\u0007\ntwo\nthree"));
        Assert.That(entry.Exception!.ToString(), Is.EqualTo("T: bad\\u001b[31m\n   at X\\u009b()"));
        Assert.That(entry.Scopes.Select(scope => scope.Text), Is.EqualTo(new[] { "n1", "s\\u001bc", "t\\u001bc" }));
        Assert.That(entry.State.Single().Value, Is.EqualTo("w\u001b"), "a value is a value");
    }

    [Test]
    public void The_rules_of_the_main_node_hold()
    {
        using var seen = new Seen();
        using ILoggerFactory factory = LoggerFactory.Create(builder => builder.AddProvider(seen).AddFilter("Compiler", LogLevel.Error));
        Event().WriteTo(factory);
        Assert.That(seen.Entries, Is.Empty);
    }

    [Test]
    public void Scopes_end_with_the_event_also_if_a_provider_throws()
    {
        using var seen = new Seen { Fails = true };
        using ILoggerFactory factory = LoggerFactory.Create(builder => builder.AddProvider(seen));
        Assert.That(() => Event().WriteTo(factory, "n1"), Throws.InstanceOf<AggregateException>());
        seen.Fails = false;
        factory.CreateLogger("own").LogInformation("own");
        Assert.That(seen.Entries.Single().Scopes, Is.Empty);
    }

    [TestCase("System.IO.IOException: no space\n   at A.B()\n   at C.D()", "System.IO.IOException", "no space", "   at A.B()\n   at C.D()")]
    [TestCase("System.Exception: outer\n ---> System.IO.IOException: inner\n   at A.B()\n   --- End of inner exception stack trace ---",
        "System.Exception", "outer", "   at A.B()\n   --- End of inner exception stack trace ---")]
    [TestCase("System.Exception: two\nlines", "System.Exception", "two\nlines", null)]
    [TestCase("System.Exception", "System.Exception", "", null)]
    [TestCase("something went wrong: no type", "", "something went wrong: no type", null)]
    [TestCase("", "", "", null)]
    public void An_exceptions_text_gives_type_message_and_frames(string text, string type, string message, string? frames)
    {
        var exception = new RemoteException(text);
        Assert.That((exception.TypeName, exception.Message, exception.StackTrace), Is.EqualTo((type, message, frames)));
        Assert.That(exception.ToString(), Is.EqualTo(text));
    }

    private static LogEvent Event() => new()
    {
        Time = Time,
        Level = LogLevel.Warning,
        Category = "Compiler",
        Message = "Compiled a.cs in 40 ms",
        EventId = 7,
        EventName = "Slow",
        Properties =
        [
            new("File", "a.cs"), new("Ms", 40L), new("Ratio", 0.5), new("Cached", true), new("Hash", default),
            new("{OriginalFormat}", "Compiled {File} in {Ms} ms"),
        ],
        Exception = "System.InvalidOperationException: broken\n   at A.B()",
        Scopes = [new LogScope("Build 5", [new("Id", 5L)]), new LogScope("plain", [])],
    };

    private sealed record Scope(string Text, IReadOnlyList<KeyValuePair<string, object?>> Pairs);

    private sealed record Entry(
        string Category, LogLevel Level, EventId Id, string Message, IReadOnlyList<KeyValuePair<string, object?>> State,
        IReadOnlyList<Scope> Scopes, Exception? Exception);

    /// <summary>A provider that keeps what it gets, with the scopes of its factory.</summary>
    private sealed class Seen : ILoggerProvider, ISupportExternalScope
    {
        private IExternalScopeProvider _scopes = new LoggerExternalScopeProvider();

        public bool Fails { get; set; }

        public List<Entry> Entries { get; } = [];

        public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName);

        public void SetScopeProvider(IExternalScopeProvider scopeProvider) => _scopes = scopeProvider;

        public void Dispose()
        {
        }

        private sealed class Logger(Seen seen, string category) : ILogger
        {
            public IDisposable? BeginScope<TState>(TState state)
                where TState : notnull => seen._scopes.Push(state);

            public bool IsEnabled(LogLevel logLevel) => true;

            public void Log<TState>(
                LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            {
                if (seen.Fails)
                {
                    throw new InvalidOperationException("the provider fails");
                }

                List<Scope> scopes = [];
                seen._scopes.ForEachScope((scope, all) => all.Add(new Scope(scope?.ToString() ?? string.Empty, Pairs(scope))), scopes);
                seen.Entries.Add(new Entry(category, logLevel, eventId, formatter(state, exception), Pairs(state), scopes, exception));
            }

            private static IReadOnlyList<KeyValuePair<string, object?>> Pairs(object? state) =>
                state is IEnumerable<KeyValuePair<string, object?>> pairs ? [.. pairs] : [];
        }
    }
}
