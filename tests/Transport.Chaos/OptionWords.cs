using System;
using System.Linq;

namespace Transport.Chaos;

/// <summary>A command line of options, each a word and its value, or a word alone.</summary>
internal static class OptionWords
{
    /// <summary>Reads the words one after the other.</summary>
    /// <typeparam name="T">The options.</typeparam>
    /// <param name="options">What holds if nothing else is asked for.</param>
    /// <param name="words">The words.</param>
    /// <param name="change">Gives the options with an option's value (empty if the line ends before it), or null if there is no such
    /// option or value.</param>
    /// <param name="alone">Options that have no value.</param>
    /// <returns>The options, or null if a word is none.</returns>
    public static T? Read<T>(T options, ReadOnlySpan<string> words, Func<T, string, string, T?> change, params string[] alone)
        where T : class
    {
        T? read = options;
        for (int i = 0; i < words.Length && read is not null; i += alone.Contains(words[i]) ? 1 : 2)
        {
            read = change(read, words[i], i + 1 < words.Length ? words[i + 1] : string.Empty);
        }

        return read;
    }
}
