using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Transport.Logging;

/// <summary>
/// Makes the filter rules of a program right for the provider: categories hold, the general default level does not, and rules of the
/// provider's own win.
/// </summary>
/// <remarks>
/// Runs after all configuration, whatever the order of the calls that built it. Among a factory's rules those of a provider beat general
/// ones, then the longest
/// category wins, then the later rule. So the rule that lets everything through goes in front, then copies of the general rules that name
/// a category.
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
            .. options.Rules
                .Where(rule => rule.ProviderName is null && !string.IsNullOrEmpty(rule.CategoryName) && !own.Exists(one => Covers(one.CategoryName, rule.CategoryName!)))
                .Select(rule => new LoggerFilterRule(FullName, rule.CategoryName, rule.LogLevel, rule.Filter)),
        ];
        for (int i = 0; i < added.Length; i++)
        {
            options.Rules.Insert(i, added[i]);
        }
    }

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
