using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;

namespace Transport.Terminal;

/// <summary>What is wrong with a command line, in one line for a person.</summary>
public static class CommandMistakes
{
    /// <summary>How many letters may be wrong for a name to be meant.</summary>
    private const int MostWrong = 2;

    /// <summary>Finds the first mistake that the parser or this class sees: a word that looks like an option and is none, an argument that
    /// is missing, what the parser says.</summary>
    /// <param name="args">The words of the command line.</param>
    /// <param name="parsed">What the parser made of them.</param>
    /// <returns>The mistake; null if there is none, or the command only has commands below it.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static string? Find(string[] args, ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(args);
        ArgumentNullException.ThrowIfNull(parsed);
        Command command = parsed.CommandResult.Command;
        if (command is RootCommand)
        {
            string[] names = [.. command.Subcommands.Where(one => !one.Hidden).Select(one => one.Name)];
            string known = names.Length == 1 ? names[0] : $"{string.Join(", ", names[..^1])} or {names[^1]}";
            return args.Length == 0 ? $"name a command: {known} (see --help)."
                : $"{args[0]} is no command: expected {known} (see --help).";
        }

        return command.Subcommands.Count > 0 ? null
            : UnknownOption(args, parsed) ?? MissingArgument(parsed) ?? parsed.Errors.Select(e => e.Message).FirstOrDefault();
    }

    private static string? MissingArgument(ParseResult parsed) => parsed.CommandResult.Command.Arguments
        .Where(argument => argument.Arity.MinimumNumberOfValues > 0 && parsed.GetResult(argument) is not { Tokens.Count: > 0 })
        .Select(argument => $"{parsed.CommandResult.Command.Name}: {argument.Name} is missing: "
            + $"{char.ToLowerInvariant(argument.Description![0])}{argument.Description[1..].TrimEnd('.')} (see --help).")
        .FirstOrDefault();

    /// <summary>Such a word would else be taken for a file, and what stands behind it be blamed.</summary>
    private static string? UnknownOption(string[] args, ParseResult parsed)
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
            + (meant is null ? " (see --help)." : $" (did you mean {meant}?).");
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
