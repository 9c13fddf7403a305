using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;

namespace BuildHarness.Commands;

/// <summary>Finds a word that looks like an option and is none: it would else be taken for a file, and what stands behind it be
/// blamed.</summary>
internal static class UnknownOption
{
    /// <summary>How many letters may be wrong for a name to be meant.</summary>
    private const int MostWrong = 2;

    /// <returns>What is wrong, or null.</returns>
    public static string? Find(string[] args, ParseResult parsed)
    {
        string[] words = [.. args.TakeWhile(word => word != "--").Where(word => word.Length > 1 && word[0] == '-')];
        string[] names = [.. parsed.CommandResult.Command.Options.SelectMany(option => option.Aliases.Prepend(option.Name))];
        HashSet<string> taken = [.. parsed.CommandResult.Children.OfType<ArgumentResult>().SelectMany(one => one.Tokens)
            .Select(token => token.Value), .. parsed.UnmatchedTokens];
        string? unknown = words.FirstOrDefault(word => taken.Contains(word) && !names.Contains(word, StringComparer.Ordinal));
        if (unknown is null)
        {
            return null;
        }

        string bare = unknown.Split('=', ':')[0];
        string? meant = names.Where(name => name.StartsWith("--", StringComparison.Ordinal)).OrderBy(name => Distance(name, bare))
            .FirstOrDefault(name => Distance(name, bare) <= MostWrong);
        return $"{parsed.CommandResult.Command.Name}: unknown option {bare}"
            + (meant is null ? " (--help tells more)." : $" (did you mean {meant}?).");
    }

    /// <summary>How many letters one must change, add or take away to get from one word to another.</summary>
    private static int Distance(string one, string other)
    {
        int[] row = [.. Enumerable.Range(0, other.Length + 1)];
        for (int i = 1; i <= one.Length; i++)
        {
            int before = row[0]++;
            for (int k = 1; k <= other.Length; k++)
            {
                int best = Math.Min(Math.Min(row[k], row[k - 1]) + 1, before + (one[i - 1] == other[k - 1] ? 0 : 1));
                (before, row[k]) = (row[k], best);
            }
        }

        return row[other.Length];
    }
}
