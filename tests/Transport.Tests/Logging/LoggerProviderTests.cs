using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;

namespace Transport.Tests.Logging;

/// <summary>From a program's ILogger to packets.</summary>
public sealed class LoggerProviderTests
{
    private readonly FakeSink _sink = new();

    [SetUp]
    public void Empty()
    {
        _sink.Sent.Clear();
        _sink.Levels = new LevelRules(PacketLevel.Trace);
        _sink.Answer = SendResult.Queued;
        _sink.Thrown = null;
    }

    [Test]
    public void A_structured_message_keeps_its_text_its_values_and_its_format()
    {
        using ILoggerFactory factory = Factory();
        factory.CreateLogger("Compiler").LogWarning(new EventId(7, "slow"), "Compiled {File} in {Ms} ms, {Share:P0}", "a.cs", 40, 0.5m);
        LogEvent e = _sink.Only;
        Assert.Multiple(() =>
        {
            Assert.That(e.Level, Is.EqualTo(LogLevel.Warning));
            Assert.That(e.Category, Is.EqualTo("Compiler"));
            Assert.That((e.EventId, e.EventName), Is.EqualTo((7, "slow")));
            Assert.That(e.Message, Does.StartWith("Compiled a.cs in 40 ms, 50"));
            Assert.That(e.Properties, Is.EqualTo(new LogProperty[]
            {
                new("File", "a.cs"), new("Ms", 40L), new("Share", "0.5"), new("{OriginalFormat}", "Compiled {File} in {Ms} ms, {Share:P0}"),
            }));
            Assert.That(e.Exception, Is.Null);
            Assert.That(_sink.Sent[0].Lane, Is.EqualTo(Lane.Normal));
        });
    }

    [Test]
    public void Below_the_main_nodes_level_nothing_is_formatted_and_the_level_changes_live()
    {
        using ILoggerFactory factory = Factory();
        ILogger log = factory.CreateLogger("c");
        int formatted = 0;
        void Log(LogLevel level) => log.Log(level, default, "state", null, (s, _) => $"{++formatted}");

        _sink.Levels = new LevelRules(PacketLevel.Warning);
        Log(LogLevel.Information);
        Assert.That((formatted, _sink.Sent.Count, log.IsEnabled(LogLevel.Information), log.IsEnabled(LogLevel.Warning)),
            Is.EqualTo((0, 0, false, true)));
        _sink.Levels = new LevelRules(PacketLevel.Trace);
        Log(LogLevel.Trace);
        Assert.That((formatted, _sink.Sent.Count), Is.EqualTo((1, 1)), "the factory's own default, Information, does not stand in the way");
        _sink.Levels = new LevelRules(PacketLevel.None);
        Log(LogLevel.Critical);
        _sink.Levels = new LevelRules(PacketLevel.Trace);
        Log(LogLevel.None);
        Assert.That((formatted, _sink.Sent.Count), Is.EqualTo((1, 1)));
    }

    [Test]
    public void An_event_has_the_trace_in_which_it_was_logged()
    {
        using ILoggerFactory factory = Factory();
        ILogger log = factory.CreateLogger("c");
        log.LogInformation("in none");
        using (Activity span = new Activity("span").SetIdFormat(ActivityIdFormat.W3C).Start())
        {
            log.LogInformation("in one");
            Assert.That((_sink.Sent[1].Event.TraceId, _sink.Sent[1].Event.SpanId), Is.EqualTo((span.TraceId, span.SpanId)));
        }

        using Activity old = new Activity("old").SetIdFormat(ActivityIdFormat.Hierarchical).Start();
        log.LogInformation("in one of the format before W3C's");
        Assert.That(new[] { _sink.Sent[0].Event.TraceId, _sink.Sent[2].Event.TraceId }, Is.All.EqualTo(default(ActivityTraceId)));
    }

    [Test]
    public void A_category_has_the_level_of_its_longest_rule_and_follows_other_rules()
    {
        using ILoggerFactory factory = Factory();
        ILogger compile = factory.CreateLogger("Build.Compile"), restore = factory.CreateLogger("Restore");
        _sink.Levels = new LevelRules(PacketLevel.Warning, Rules(("build", PacketLevel.Information), ("Build.C", PacketLevel.Debug)));
        compile.LogDebug("wanted");
        restore.LogInformation("not wanted");
        Assert.That(_sink.Only.Message, Is.EqualTo("wanted"));
        Assert.That((compile.IsEnabled(LogLevel.Trace), restore.IsEnabled(LogLevel.Warning)), Is.EqualTo((false, true)));
        _sink.Levels = new LevelRules(PacketLevel.Trace, Rules(("Build", PacketLevel.None)));
        compile.LogCritical("not wanted any more");
        restore.LogTrace("wanted now");
        Assert.That(_sink.Sent.Select(sent => sent.Event.Message), Is.EqualTo(new[] { "wanted", "wanted now" }));
    }

    [TestCase(SendResult.Full)]
    [TestCase(SendResult.Closed)]
    public void What_is_not_taken_is_counted_by_level(SendResult answer)
    {
        using ILoggerFactory factory = Factory(out TransportLoggerProvider provider);
        ILogger log = factory.CreateLogger("c");
        log.LogInformation("taken");
        _sink.Answer = answer;
        log.LogInformation("one");
        log.LogError("two");
        log.LogError("three");
        Assert.That(
            (provider.Dropped, provider.DroppedOf(LogLevel.Information), provider.DroppedOf(LogLevel.Error),
                provider.DroppedOf(LogLevel.None)),
            Is.EqualTo((3L, 1L, 2L, 0L)));
    }

    [Test]
    public void An_event_larger_than_the_peer_takes_is_counted_and_not_thrown()
    {
        using ILoggerFactory factory = Factory(out TransportLoggerProvider provider);
        _sink.Thrown = new TransportException(TransportFault.PacketTooLarge, "too large");
        Assert.That(() => factory.CreateLogger("c").LogInformation("huge"), Throws.Nothing);
        Assert.That(provider.Dropped, Is.EqualTo(1));
    }

    [Test]
    public void Errors_are_urgent_only_where_asked()
    {
        foreach (bool urgent in new[] { false, true })
        {
            _sink.Sent.Clear();
            var provider = new TransportLoggerProvider(_sink, new TransportLoggerOptions { UrgentErrors = urgent });
            ILogger log = provider.CreateLogger("c");
            log.LogWarning("w");
            log.LogError("e");
            log.LogCritical("c");
            Lane errors = urgent ? Lane.Urgent : Lane.Normal;
            Assert.That(_sink.Sent.Select(s => s.Lane), Is.EqualTo(new[] { Lane.Normal, errors, errors }));
        }
    }

    [Test]
    public void Open_scopes_travel_the_outermost_first_each_with_its_text_and_properties()
    {
        using ILoggerFactory factory = Factory();
        ILogger log = factory.CreateLogger("c");
        using (log.BeginScope("Build {Id} of {File}", 5, "outer.sln"))
        using (log.BeginScope(new Dictionary<string, object?> { ["Id"] = 6L, ["File"] = "scope.cs" }))
        using (log.BeginScope("plain"))
        {
            log.LogInformation("Compiled {File}", "state.cs");
        }

        log.LogInformation("outside");
        LogEvent inside = _sink.Sent[0].Event;
        Assert.Multiple(() =>
        {
            Assert.That(inside.Properties, Is.EqualTo(new LogProperty[] { new("File", "state.cs"), new("{OriginalFormat}",
                "Compiled {File}") }));
            Assert.That(inside.Scopes.Select(s => s.Text), Is.EqualTo(new[] { "Build 5 of outer.sln", null, "plain" }));
            Assert.That(inside.Scopes[0].Properties, Is.EqualTo(new LogProperty[]
            {
                new("Id", 5L), new("File", "outer.sln"), new("{OriginalFormat}", "Build {Id} of {File}"),
            }));
            Assert.That(inside.Scopes[1].Properties, Is.EquivalentTo(new LogProperty[] { new("Id", 6L), new("File", "scope.cs") }));
            Assert.That(inside.Scopes[2].Properties, Is.EqualTo(new LogProperty[] { new("{OriginalFormat}", "plain") }).Or.Empty);
            Assert.That(_sink.Sent[1].Event.Scopes, Is.Empty);
        });
    }

    [Test]
    public void Scopes_stay_at_home_where_not_wanted()
    {
        var provider = new TransportLoggerProvider(_sink, new TransportLoggerOptions { IncludeScopes = false });
        ILogger log = provider.CreateLogger("c");
        using (log.BeginScope("plain"))
        {
            log.LogInformation("m");
        }

        Assert.That(_sink.Only.Scopes, Is.Empty);
    }

    [Test]
    public void An_exception_travels_as_text_with_its_inner_one()
    {
        using ILoggerFactory factory = Factory();
        factory.CreateLogger("c").LogError(new InvalidOperationException("outer", new ArgumentException("inner")), "failed");
        Assert.That(_sink.Only.Exception, Does.Contain("InvalidOperationException: outer").And.Contain("ArgumentException: inner"));
        Assert.That(_sink.Only.Message, Is.EqualTo("failed"));
    }

    [Test]
    public void A_caller_whose_own_code_fails_still_gets_its_event_out()
    {
        using ILoggerFactory factory = Factory();
        ILogger log = factory.CreateLogger("c");
        log.Log(LogLevel.Information, default, "state", null, (_, _) => throw new FormatException("bad format"));
        log.LogInformation("value {V}", new Failing());
        Assert.That(_sink.Sent[0].Event.Message, Does.Contain("FormatException").And.Contain("bad format"));
        Assert.That(_sink.Sent[1].Event.Message, Does.Contain("NotSupportedException: no text"));
        Assert.That(_sink.Sent[1].Event.Properties[0], Is.EqualTo(new LogProperty("V", "(Failing.ToString threw NotSupportedException)")));
    }

    [Test]
    public void Values_become_what_the_wire_has_whatever_the_culture()
    {
        CultureInfo before = Thread.CurrentThread.CurrentCulture;
        Thread.CurrentThread.CurrentCulture = new CultureInfo("de-DE");
        try
        {
            (object? Value, LogValue Expected)[] cases =
            [
                (null, default), ("s", "s"), (true, true), ((byte)1, 1L), ((sbyte)-1, -1L), ((short)-2, -2L), ((ushort)2, 2L), (3u, 3L),
                    (long.MinValue, long.MinValue),
                (ulong.MaxValue, "18446744073709551615"), (4ul, 4L), (1.5f, 1.5), (double.NaN, double.NaN), (1.5m, "1.5"), ('c', "c"),
                    (DayOfWeek.Friday, "Friday"),
                (new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), "2026-01-02T03:04:05.0000000Z"),
                    (TimeSpan.FromSeconds(90), "00:01:30"),
                (new object?[] { 1, "two", null, 3.5 }, "1, two, (null), 3.5"), (Guid.Empty, Guid.Empty.ToString()),
            ];
            foreach ((object? value, LogValue expected) in cases)
            {
                Assert.That(LogValue.From(value), Is.EqualTo(expected), $"{value?.GetType().Name} {value}");
            }

            Assert.That(LogValue.From(Enumerable.Range(0, int.MaxValue)).Text, Does.EndWith("999, ..."));
        }
        finally
        {
            Thread.CurrentThread.CurrentCulture = before;
        }
    }

    private static Dictionary<string, PacketLevel> Rules(params (string Category, PacketLevel Level)[] rules) =>
        rules.ToDictionary(rule => rule.Category, rule => rule.Level);

    private ILoggerFactory Factory() => Factory(out _);

    private ILoggerFactory Factory(out TransportLoggerProvider provider)
    {
        var made = new TransportLoggerProvider(_sink, null);
        provider = made;
        return LoggerFactory.Create(builder => builder.AddTransport(made));
    }

    private sealed class Failing
    {
        public override string ToString() => throw new NotSupportedException("no text");
    }
}
