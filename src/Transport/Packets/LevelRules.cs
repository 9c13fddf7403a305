using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>Which log events a process wants: a least level for all, others by category. Immutable.</summary>
/// <remarks>A rule holds for every category that begins with its text, without regard to case; of several the longest holds. The rules
/// travel in SetLevel (PROTOCOL.md).</remarks>
public sealed class LevelRules
{
    /// <summary>The most rules by category.</summary>
    public const int MaxCategories = 128;

    /// <summary>The most characters of a category.</summary>
    public const int MaxCategoryLength = 160;

    private readonly Dictionary<string, PacketLevel> _categories;
    private readonly KeyValuePair<string, PacketLevel>[] _longestFirst;

    /// <summary>Initializes a new instance of the <see cref="LevelRules"/> class.</summary>
    /// <param name="level">The least level of every category without a rule; <see cref="PacketLevel.None"/>: none of them.</param>
    /// <param name="categories">The least level of what begins with a text; null: no such rules. At most <see cref="MaxCategories"/>, of
    /// 1 to <see cref="MaxCategoryLength"/> characters.</param>
    /// <exception cref="ArgumentOutOfRangeException">A level is a number without a name.</exception>
    /// <exception cref="ArgumentException">Too many categories, one that is empty or too long, or two that differ in case
    /// alone.</exception>
    public LevelRules(PacketLevel level, IEnumerable<KeyValuePair<string, PacketLevel>>? categories = null)
    {
        Default = Checked(level, nameof(level));
        _categories = new Dictionary<string, PacketLevel>(StringComparer.OrdinalIgnoreCase);
        _longestFirst = [];
        Least = Default;
        if (categories is null)
        {
            return;   // most rules: the code below is compiled for those that have categories
        }

        foreach (KeyValuePair<string, PacketLevel> rule in categories)
        {
            if (_categories.Count == MaxCategories || rule.Key.Length is 0 or > MaxCategoryLength)
            {
                throw new ArgumentException(
                    $"At most {MaxCategories} categories of 1 to {MaxCategoryLength} characters can have a level of their own.",
                    nameof(categories));
            }

            _categories.Add(rule.Key, Checked(rule.Value, nameof(categories)));
            Least = rule.Value < Least ? rule.Value : Least;
        }

        _longestFirst = [.. _categories.OrderByDescending(static rule => rule.Key.Length)];
    }

    /// <summary>Gets the least level of every category without a rule.</summary>
    public PacketLevel Default { get; }

    /// <summary>Gets the least level by what a category begins with.</summary>
    public IReadOnlyDictionary<string, PacketLevel> Categories => _categories;

    /// <summary>Gets the least level that any category has: what is below it is not wanted, whatever its category.</summary>
    public PacketLevel Least { get; }

    /// <summary>Returns the least level that a category has.</summary>
    /// <param name="category">The category.</param>
    /// <returns>The level; <see cref="PacketLevel.None"/>: nothing of this category is wanted.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="category"/> is null.</exception>
    public PacketLevel Of(string category)
    {
        _ = category ?? throw new ArgumentNullException(nameof(category));
        foreach (KeyValuePair<string, PacketLevel> rule in _longestFirst)
        {
            if (category.StartsWith(rule.Key, StringComparison.OrdinalIgnoreCase))
            {
                return rule.Value;
            }
        }

        return Default;
    }

    /// <summary>Returns the rules that a SetLevel has.</summary>
    /// <param name="level">The level for who knows no categories.</param>
    /// <param name="categories">The levels by what a category begins with, "" for all others; null: there are none.</param>
    internal static LevelRules Received(PacketLevel level, IReadOnlyDictionary<string, PacketLevel>? categories) => categories is null
        ? new LevelRules(level)
        : new LevelRules(
            categories.TryGetValue(string.Empty, out PacketLevel others) ? others : level,
            categories.Where(static rule => rule.Key.Length > 0).Take(MaxCategories));

    private static PacketLevel Checked(PacketLevel level, string name) => level is >= PacketLevel.Trace and <= PacketLevel.None ? level
        : throw new ArgumentOutOfRangeException(name, level, "A level is Trace to Critical, or None.");
}
