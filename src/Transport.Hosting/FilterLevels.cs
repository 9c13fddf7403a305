using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.Logging;

namespace Transport.Hosting;

/// <summary>Makes of a host's filter rules those that its workers follow: an event that any provider of the host takes is sent, whichever
/// provider that is.</summary>
/// <remarks>
/// A factory chooses for a provider and a category: rules of that provider before general ones, then the longest category, then the last
/// rule. So what a provider has for the longest category of any rule is what it has for all that begin with it. What cannot travel is
/// taken for the least: a filter function, the part of a category behind <c>*</c>, what is too long or too many. The host's own rules
/// filter what arrives.
/// </remarks>
internal static class FilterLevels
{
    public static LevelRules Of(LoggerFilterOptions filters)
    {
        string?[] providers = [.. filters.Rules.Select(rule => rule.ProviderName).Append(null).Distinct(StringComparer.Ordinal)];
        var levels = new SortedDictionary<string, PacketLevel>(StringComparer.OrdinalIgnoreCase);
        foreach (string category in filters.Rules.Select(StartOf).Append(string.Empty))
        {
            levels[category] = filters.Rules
                .Where(rule => HasStar(rule) && Begins(category, StartOf(rule)))
                .Select(LevelOf)
                .Concat(providers.Select(provider => Best(filters, provider, category)))
                .Min();
        }

        Fold(levels);
        PacketLevel others = levels[string.Empty];
        _ = levels.Remove(string.Empty);
        return new LevelRules(others, levels);
    }

    private static PacketLevel Best(LoggerFilterOptions filters, string? provider, string category)
    {
        LoggerFilterRule[] matching = [.. filters.Rules.Where(rule => !HasStar(rule) && Begins(category, StartOf(rule)))];
        LoggerFilterRule[] own = [.. matching.Where(rule => provider is not null && rule.ProviderName == provider)];
        LoggerFilterRule? best = (own.Length > 0 ? own : [.. matching.Where(rule => rule.ProviderName is null)])
            .Aggregate(
                default(LoggerFilterRule),
                (best, rule) => best is not null && StartOf(best).Length > StartOf(rule).Length ? best : rule);
        return best is null ? (PacketLevel)filters.MinLevel : LevelOf(best);
    }

    /// <summary>Takes out what says the same as the rule around it, and, as the lesser of both, what is too long or too many.</summary>
    private static void Fold(SortedDictionary<string, PacketLevel> levels)
    {
        int more = levels.Count;
        foreach (string category in levels.Keys.Where(key => key.Length > 0).OrderByDescending(key => key.Length).ToList())
        {
            string around = levels.Keys
                .Where(key => key.Length < category.Length && Begins(category, key))
                .OrderBy(key => key.Length)
                .Last();
            bool isTooMuch = category.Length > LevelRules.MaxCategoryLength || more > LevelRules.MaxCategories + 1;
            if (isTooMuch && levels[category] < levels[around])
            {
                levels[around] = levels[category];
            }

            if (isTooMuch || levels[category] == levels[around])
            {
                _ = levels.Remove(category);
                more--;
            }
        }
    }

    private static bool HasStar(LoggerFilterRule rule) => rule.CategoryName?.Contains("*") == true;

    private static string StartOf(LoggerFilterRule rule) => rule.CategoryName?.Split('*')[0] ?? string.Empty;

    private static bool Begins(string category, string start) => category.StartsWith(start, StringComparison.OrdinalIgnoreCase);

    private static PacketLevel LevelOf(LoggerFilterRule rule) => (PacketLevel)(rule.LogLevel ?? LogLevel.Trace);
}
