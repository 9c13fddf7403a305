using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Transport.Logging;

/// <summary>
/// Makes the filter rules of a program right for the provider: categories and filter functions hold, the general default level does not,
/// and rules of the provider's own win.
/// </summary>
/// <remarks>
/// Runs after all configuration, whatever the order of the calls that built it. Among a factory's rules those of a provider beat general
/// ones, then the longest category wins, then the later rule. So the rule that lets everything through goes in front, then copies of the
/// general rules that name a category or have a filter function.
/// </remarks>
internal sealed class ProviderRules : IPostConfigureOptions<LoggerFilterOptions>
{
    private const string Alias = "Transport";

    private static string FullName { get; } = typeof(TransportLoggerProvider).FullName!;

    public void PostConfigure(string? name, LoggerFilterOptions options)
    {
        LoggerFilterRule[] own = [.. options.Rules.Where(rule => rule.ProviderName == Alias || rule.ProviderName == FullName)];
        LoggerFilterRule[] added =
        [
            new(FullName, categoryName: null, LogLevel.Trace, filter: null),
            .. options.Rules.Where(rule => rule.ProviderName is null && IsCopied(rule, own)).Select(rule => Copy(rule, own)),
        ];
        for (int i = 0; i < added.Length; i++)
        {
            options.Rules.Insert(i, added[i]);
        }
    }

    private static bool IsCopied(LoggerFilterRule general, LoggerFilterRule[] own) =>
        (HasCategory(general) || general.Filter is not null)
        && !Array.Exists(own, one => new CategoryPattern(one.CategoryName).Covers(new CategoryPattern(general.CategoryName)));

    private static LoggerFilterRule Copy(LoggerFilterRule general, LoggerFilterRule[] own)
    {
        var pattern = new CategoryPattern(general.CategoryName);
        LoggerFilterRule[] hidden = [.. own.Where(one => new CategoryPattern(one.CategoryName).IsHiddenBy(pattern))];
        return hidden.Length == 0
            ? new LoggerFilterRule(FullName, general.CategoryName, HasCategory(general) ? general.LogLevel : null, general.Filter)
            : new LoggerFilterRule(FullName, general.CategoryName, logLevel: null, (provider, category, level) =>
                Allows(Best(hidden, category ?? string.Empty) ?? general, provider, category, level));
    }

    private static bool HasCategory(LoggerFilterRule rule) => !string.IsNullOrEmpty(rule.CategoryName);

    /// <summary>Chooses among rules that match a category as the factory does: the longest, of several the last.</summary>
    private static LoggerFilterRule? Best(IEnumerable<LoggerFilterRule> rules, string category) => rules
        .Where(rule => new CategoryPattern(rule.CategoryName).Matches(category))
        .Aggregate(default(LoggerFilterRule), (best, rule) => best?.CategoryName?.Length > rule.CategoryName?.Length ? best : rule);

    private static bool Allows(LoggerFilterRule rule, string? provider, string? category, LogLevel level) =>
        !(level < rule.LogLevel) && rule.Filter?.Invoke(provider, category, level) != false;

    /// <summary>The category of a rule: what a name begins with and, behind a <c>*</c>, what it ends with.</summary>
    private readonly struct CategoryPattern
    {
        private readonly string _start, _end;
        private readonly int _length;

        public CategoryPattern(string? category)
        {
            category ??= string.Empty;
            int star = category.IndexOf('*');
            _start = star < 0 ? category : category.Substring(0, star);
            _end = star < 0 ? string.Empty : category.Substring(star + 1);
            _length = category.Length;
        }

        public bool Matches(string category) => Begins(category, _start) && Ends(category, _end);

        /// <summary>Whether it matches all that another one matches: the provider's own rule then wins, even if it is shorter.</summary>
        public bool Covers(in CategoryPattern other) => Begins(other._start, _start) && Ends(other._end, _end);

        /// <summary>Whether a longer one, which would win by its length, may match some of the same categories.</summary>
        public bool IsHiddenBy(in CategoryPattern longer) =>
            _length < longer._length
            && (Begins(longer._start, _start) || Begins(_start, longer._start))
            && (Ends(longer._end, _end) || Ends(_end, longer._end));

        private static bool Begins(string text, string start) => text.StartsWith(start, StringComparison.OrdinalIgnoreCase);

        private static bool Ends(string text, string end) => text.EndsWith(end, StringComparison.OrdinalIgnoreCase);
    }
}
