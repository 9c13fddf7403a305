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
        List<LoggerFilterRule> own = [.. options.Rules.Where(rule => rule.ProviderName == Alias || rule.ProviderName == FullName)];
        LoggerFilterRule[] added =
        [
            new(FullName, categoryName: null, LogLevel.Trace, filter: null),
            .. options.Rules.Where(rule => rule.ProviderName is null && IsCopied(rule, own)).Select(rule =>
                new LoggerFilterRule(FullName, rule.CategoryName, HasCategory(rule) ? rule.LogLevel : null, rule.Filter)),
        ];
        for (int i = 0; i < added.Length; i++)
        {
            options.Rules.Insert(i, added[i]);
        }
    }

    private static bool IsCopied(LoggerFilterRule general, List<LoggerFilterRule> own) =>
        (HasCategory(general) || general.Filter is not null)
        && !own.Exists(one => Covers(one.CategoryName, general.CategoryName ?? string.Empty));

    private static bool HasCategory(LoggerFilterRule rule) => !string.IsNullOrEmpty(rule.CategoryName);

    /// <summary>
    /// Says whether one of the provider's own rules holds for all that a general rule holds for: then the own one beats it, though its
    /// category may be shorter.
    /// </summary>
    private static bool Covers(string? own, string general)
    {
        if (own is null)
        {
            return true;
        }

        int star = own.IndexOf('*');
        return star < 0
            ? general.StartsWith(own, StringComparison.OrdinalIgnoreCase)
            : general.StartsWith(own.Substring(0, star), StringComparison.OrdinalIgnoreCase) && general.EndsWith(own.Substring(star + 1), StringComparison.OrdinalIgnoreCase);
    }
}
