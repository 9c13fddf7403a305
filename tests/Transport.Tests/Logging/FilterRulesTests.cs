using System;
using System.Linq;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;

namespace Transport.Tests.Logging;

/// <summary>Which events cross the link, by the rules of a program's configuration. The main node asks for all of them.</summary>
public sealed class FilterRulesTests
{
    private const string FullName = "Transport.Logging.TransportLoggerProvider";
    private static readonly LoggerFilterRule OwnDefault = new("Transport", null, LogLevel.Warning, null);
    private static readonly LoggerFilterRule GeneralDefault = new(null, null, LogLevel.Error, null);
    private static readonly LoggerFilterRule Microsoft = new(null, "Microsoft", LogLevel.Warning, null);
    private static readonly LoggerFilterRule Hosting = new(null, "Microsoft.Hosting", LogLevel.Error, null);

    [Test]
    public void The_providers_own_default_level_holds([Values] bool before) =>
        Assert.That(Least(before, "App", OwnDefault), Is.EqualTo(LogLevel.Warning));

    [Test]
    public void General_rules_that_name_a_category_hold_by_the_longest_name([Values] bool before)
    {
        Assert.That(Least(before, "Microsoft.AspNetCore.Routing", Hosting, Microsoft), Is.EqualTo(LogLevel.Warning));
        Assert.That(Least(before, "Microsoft.Hosting.Lifetime", Hosting, Microsoft), Is.EqualTo(LogLevel.Error));
        Assert.That(Least(before, "App", Hosting, Microsoft), Is.EqualTo(LogLevel.Trace));
    }

    [Test]
    public void The_general_default_and_the_minimum_level_do_not_hold([Values] bool before) =>
        Assert.That(Least(before, "App", GeneralDefault, Microsoft), Is.EqualTo(LogLevel.Trace), "the main node's level decides");

    [Test]
    public void Rules_of_the_providers_own_win_over_general_ones([Values] bool before, [Values("Transport", FullName)] string name)
    {
        var own = new LoggerFilterRule(name, "microsoft", LogLevel.Debug, null);
        Assert.That(Least(before, "Microsoft.Hosting.Lifetime", own, Hosting, Microsoft), Is.EqualTo(LogLevel.Debug),
            "also over longer names");
        Assert.That(Least(before, "Microsoft.Hosting", Hosting, OwnDefault), Is.EqualTo(LogLevel.Warning), "also by its default level");
        Assert.That(Least(before, "Microsoft.Hosting", Hosting, new LoggerFilterRule(name, "Micro*ing", LogLevel.Debug, null)),
            Is.EqualTo(LogLevel.Debug), "also by a pattern");
        Assert.That(Least(before, "Microsoft.Hosting", Hosting, new LoggerFilterRule(name, "App", LogLevel.Debug, null)),
            Is.EqualTo(LogLevel.Error), "but not where they do not match");
    }

    [Test]
    public void A_general_filter_function_holds_for_its_category([Values] bool before)
    {
        var rule = new LoggerFilterRule(null, "App", null, (_, _, level) => level >= LogLevel.Critical);
        Assert.That(Least(before, "App.Part", rule), Is.EqualTo(LogLevel.Critical));
        Assert.That(Least(before, "Other", rule), Is.EqualTo(LogLevel.Trace));
    }

    [Test]
    public void A_filter_function_for_all_providers_holds([Values] bool before)
    {
        Action<ILoggingBuilder>[] forms =
        [
            builder => builder.AddFilter((category, _) => category != "Secret"),
            builder => builder.AddFilter((provider, category, _) => provider != FullName || category != "Secret"),
        ];
        foreach (Action<ILoggingBuilder> configure in forms)
        {
            Assert.That(Crossing(before, "Secret", configure), Is.Empty);
            Assert.That(Crossing(before, "App", configure), Has.Length.EqualTo(6), "all levels");
        }

        Assert.That(Crossing(before, "App", builder => builder.AddFilter(level => level >= LogLevel.Error)), Has.Length.EqualTo(2));
    }

    [Test]
    public void Rules_of_a_category_and_of_the_providers_own_win_over_a_filter_function([Values] bool before)
    {
        var none = new LoggerFilterRule(null, null, null, (_, _, _) => false);
        Assert.That(Least(before, "Microsoft.Hosting.Lifetime", Microsoft, none), Is.EqualTo(LogLevel.Warning));
        Assert.That(Least(before, "App", OwnDefault, none), Is.EqualTo(LogLevel.Warning));
        Assert.That(Least(before, "App", none, new LoggerFilterRule("Transport", "App", LogLevel.Debug, null)), Is.EqualTo(LogLevel.Debug));
        var errors = new LoggerFilterRule(null, null, null, (_, _, level) => level >= LogLevel.Error);
        Assert.That(Least(before, "App", none, errors), Is.EqualTo(LogLevel.Error), "the last function counts, as with every provider");
        Assert.That(Least(before, "App", errors, GeneralDefault), Is.EqualTo(LogLevel.Error), "the default does not hold");
    }

    [Test]
    public void A_pattern_of_the_providers_own_wins_only_over_what_it_matches([Values] bool before)
    {
        var own = new LoggerFilterRule("Transport", "Microsoft*Server", LogLevel.Debug, null);
        var longer = new LoggerFilterRule("Transport", "Microsoft.Server.K", LogLevel.Error, null);
        var server = new LoggerFilterRule(null, "Microsoft.Server.", LogLevel.Warning, null);
        var function = new LoggerFilterRule(null, "Microsoft.Server.", null, (_, _, level) => level >= LogLevel.Critical);
        Assert.That(Least(before, "Microsoft.Server.Kestrel", own, server), Is.EqualTo(LogLevel.Warning), "its end does not match");
        Assert.That(Least(before, "Microsoft.Server.Kestrel", own, function), Is.EqualTo(LogLevel.Critical));
        Assert.That(Least(before, "Microsoft.Server.WebServer", own, server), Is.EqualTo(LogLevel.Debug), "though it is shorter");
        Assert.That(Least(before, "Microsoft.Server.WebServer", function, own), Is.EqualTo(LogLevel.Debug));
        Assert.That(Least(before, "Microsoft.Server.KServer", longer, own, server), Is.EqualTo(LogLevel.Error), "the longest of its own");
        var pattern = new LoggerFilterRule(null, "Microsoft.*.WebServer", LogLevel.Warning, null);
        Assert.That(Least(before, "Microsoft.Kestrel.WebServer", own, pattern), Is.EqualTo(LogLevel.Debug), "it matches all of it");
        var other = new LoggerFilterRule("Transport", "*Client", LogLevel.Debug, null);
        Assert.That(Least(before, "Microsoft.Kestrel.WebServer", other, pattern), Is.EqualTo(LogLevel.Warning));
        var secret = new LoggerFilterRule("Transport", "Micro*Server", null, (_, _, level) => level >= LogLevel.Error);
        Assert.That(Least(before, "Microsoft.Server.WebServer", secret, server), Is.EqualTo(LogLevel.Error), "its own function too");
    }

    [Test]
    public void The_general_rule_that_an_own_pattern_matches_in_part_still_silences_the_rest([Values] bool before)
    {
        void Configure(ILoggingBuilder builder) => builder
            .AddFilter<TransportLoggerProvider>("Microsoft*Server", LogLevel.Trace)
            .AddFilter("Microsoft.Server", LogLevel.None);
        Assert.That(Crossing(before, "Microsoft.Server.Kestrel", Configure), Is.Empty);
        Assert.That(Crossing(before, "Microsoft.Server", Configure), Has.Length.EqualTo(6));
    }

    [Test]
    public void The_main_nodes_level_is_not_lifted_by_any_rule()
    {
        Assert.That(Least(before: true, "App", new LoggerFilterRule("Transport", "App", LogLevel.Trace, null), level: LogLevel.Error),
            Is.EqualTo(LogLevel.Error));
    }

    private static LogLevel Least(bool before, string category, LoggerFilterRule rule, LogLevel level) =>
        Least(before, category, [rule], level);

    private static LogLevel Least(bool before, string category, params LoggerFilterRule[] rules) =>
        Least(before, category, rules, LogLevel.Trace);

    private static LogLevel Least(bool before, string category, LoggerFilterRule[] rules, LogLevel level)
    {
        // As a configuration's section Logging does: Logging:LogLevel:NAME and Logging:Transport:LogLevel:NAME become rules, Default one
        // without a name.
        LogLevel[] came = Crossing(before, category, Configure, level);
        LogLevel least = came.First();
        Assert.That(came, Is.EqualTo(Enumerable.Range((int)least, 6 - (int)least).Select(l => (LogLevel)l)), "that level and all above");
        return least;

        void Configure(ILoggingBuilder builder) => builder.Services.Configure<LoggerFilterOptions>(options =>
        {
            foreach (LoggerFilterRule rule in rules)
            {
                options.Rules.Add(rule);
            }
        });
    }

    private static LogLevel[] Crossing(
        bool before, string category, Action<ILoggingBuilder> configure, LogLevel level = LogLevel.Trace)
    {
        var sink = new FakeSink { Levels = new LevelRules((PacketLevel)level) };
        using ILoggerFactory factory = LoggerFactory.Create(builder =>
        {
            builder.SetMinimumLevel(LogLevel.Critical);
            if (before)
            {
                configure(builder);
            }

            builder.AddTransport(new TransportLoggerProvider(sink, null));
            if (!before)
            {
                configure(builder);
            }
        });
        ILogger log = factory.CreateLogger(category);
        for (LogLevel each = LogLevel.Trace; each < LogLevel.None; each++)
        {
            log.Log(each, "text");
        }

        return [.. sink.Sent.Select(s => s.Event.Level)];
    }
}
