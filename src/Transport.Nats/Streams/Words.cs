using System;
using System.Buffers;
using System.Globalization;

namespace Transport.Nats;

/// <summary>Words of subjects, which are also names of folders.</summary>
internal static class Words
{
    private const int Most = 64;

    private static readonly SearchValues<char> s_allowed =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");

    /// <summary>Returns whether a text is one word.</summary>
    public static bool IsWord(string? text) => text is { Length: > 0 and <= Most } && text.AsSpan().IndexOfAnyExcept(s_allowed) < 0;

    /// <summary>Makes a word of a machine's name: what may not stand in a word becomes a hyphen.</summary>
    public static string Of(string machine)
    {
        char[] word = machine.Length > Most ? machine[..Most].ToCharArray() : machine.ToCharArray();
        for (int i = 0; i < word.Length; i++)
        {
            word[i] = s_allowed.Contains(word[i]) ? word[i] : '-';
        }

        return word.Length == 0 ? "-" : new string(word);
    }

    /// <summary>Returns a journal's id as subjects, keys and folders have it.</summary>
    public static string Of(Guid journal) => journal.ToString("N", CultureInfo.InvariantCulture);

    /// <summary>Takes a journal's subject apart.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="head">Its first words.</param>
    /// <param name="machine">The machine.</param>
    /// <param name="journal">The journal.</param>
    public static bool TryParse(string subject, string head, out string machine, out Guid journal)
    {
        (machine, journal) = (string.Empty, Guid.Empty);
        if (!subject.StartsWith(head + ".", StringComparison.Ordinal))
        {
            return false;
        }

        string[] words = subject[(head.Length + 1)..].Split('.');
        machine = words[0];
        return words.Length == 2 && IsWord(machine) && Guid.TryParseExact(words[1], "N", out journal);
    }
}
