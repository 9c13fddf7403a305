using System;

namespace Transport.MSBuild;

/// <summary>A message that nobody has put together yet: MSBuild's format with its arguments as texts. Most messages are never read, and a
/// format comes again and again. Immutable.</summary>
/// <param name="format">The format: <c>{n}</c> stands for argument n, and nothing else in braces; <c>{{</c> and <c>}}</c> for one.</param>
/// <param name="arguments">The arguments; null stands for no text.</param>
internal sealed class LazyMessage(string format, string?[] arguments)
{
    /// <summary>Longer messages are put together where they come from: few bytes must not stand for any number of characters.</summary>
    public const int Longest = 8 << 10;

    /// <summary>The most arguments: as many as any message of MSBuild has, and few enough for the header of a short array.</summary>
    public const int MostArguments = 15;

    public string Format => format;

    public ReadOnlySpan<string?> Arguments => arguments;

    /// <summary>Returns how many characters a message has; -1 if the format has more than places for arguments, such as a width, or is
    /// none, or the message has more than <see cref="Longest"/>.</summary>
    public static int LengthOf(string format, ReadOnlySpan<string?> arguments)
    {
        if (arguments.Length > MostArguments)
        {
            return -1;
        }

        long length = 0;
        ReadOnlySpan<char> rest = format.AsSpan();
        for (int at = rest.IndexOfAny('{', '}'); at >= 0; at = rest.IndexOfAny('{', '}'))
        {
            int used = PlaceIn(rest.Slice(at), arguments.Length, out int argument);
            if (used == 0)
            {
                return -1;
            }

            length += at + (argument < 0 ? 1 : arguments[argument]?.Length ?? 0);
            rest = rest.Slice(at + used);
        }

        length += rest.Length;
        return length <= Longest ? (int)length : -1;
    }

    /// <summary>Puts the message together.</summary>
    public override string ToString()
    {
        var text = new char[LengthOf(format, arguments)];
        Span<char> free = text;
        ReadOnlySpan<char> rest = format.AsSpan();
        for (int at = rest.IndexOfAny('{', '}'); at >= 0; at = rest.IndexOfAny('{', '}'))
        {
            rest.Slice(0, at).CopyTo(free);
            free = free.Slice(at);
            int used = PlaceIn(rest.Slice(at), arguments.Length, out int argument);
            ReadOnlySpan<char> put = argument < 0 ? rest.Slice(at, 1) : arguments[argument].AsSpan();
            put.CopyTo(free);
            free = free.Slice(put.Length);
            rest = rest.Slice(at + used);
        }

        rest.CopyTo(free);
        return new string(text);
    }

    /// <summary>Reads what a brace begins.</summary>
    /// <param name="text">The format from the brace on.</param>
    /// <param name="arguments">How many there are.</param>
    /// <param name="argument">The argument that is meant; -1: the brace itself.</param>
    /// <returns>How many characters it has; 0 if it is anything else.</returns>
    private static int PlaceIn(ReadOnlySpan<char> text, int arguments, out int argument)
    {
        argument = -1;
        if (text.Length < 2)
        {
            return 0;
        }

        if (text[1] == text[0])
        {
            return 2;
        }

        int number = 0, at = 1;
        for (; at < text.Length && text[at] is >= '0' and <= '9'; at++)
        {
            number = (number * 10) + text[at] - '0';
            if (number >= arguments)
            {
                return 0;
            }
        }

        if (text[0] != '{' || at == 1 || at == text.Length || text[at] != '}')
        {
            return 0;
        }

        argument = number;
        return at + 1;
    }
}
