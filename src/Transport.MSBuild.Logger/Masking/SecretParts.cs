using System;
using System.Collections.Generic;
using System.Text;

namespace Transport.MSBuild;

/// <summary>What is a secret inside of a value, whatever the value is called.</summary>
internal static class SecretParts
{
    private const string Scheme = "://";

    /// <summary>Returns the passwords of the addresses in a value (<c>https://user:password@host</c>, by RFC 3986, 3.2.1), without a name;
    /// and the members of JSON that are texts, with theirs.</summary>
    /// <param name="value">The value.</param>
    public static IEnumerable<(string Name, string Value)> Of(string value)
    {
        for (int at = 0; NextPassword(value, ref at, out int length);)
        {
            string password = value.Substring(at, length);
            yield return (string.Empty, password);
            if (password.IndexOf('%') >= 0)
            {
                yield return (string.Empty, Uri.UnescapeDataString(password));
            }

            at += length;
        }

        if (value.IndexOf('{') < 0)
        {
            yield break;
        }

        string? name = null;
        for (int at = value.IndexOf('"'); at >= 0 && Text(value, ref at) is { } text; at = value.IndexOf('"', at))
        {
            int next = at;
            while (next < value.Length && char.IsWhiteSpace(value[next]))
            {
                next++;
            }

            bool isName = next < value.Length && value[next] == ':';
            if (!isName && name is not null)
            {
                yield return (name, text);
            }

            name = isName ? text : null;
        }
    }

    /// <summary>Returns what stands as <c>Name=Value</c> in a text: properties of a task, a command line, a list of variables. A value ends
    /// with its quotation mark, or with a blank, a semicolon, a comma or a line's end.</summary>
    public static IEnumerable<(string Name, string Value)> Pairs(string text)
    {
        for (int equals = text.IndexOf('='); equals >= 0; equals = text.IndexOf('=', equals + 1))
        {
            int begin = equals;
            while (begin > 0 && (char.IsLetterOrDigit(text[begin - 1]) || text[begin - 1] is '_' or '-' or '.'))
            {
                begin--;
            }

            int from = equals + 1;
            if (begin == equals || from == text.Length)
            {
                continue;
            }

            char quote = text[from] is '"' or '\'' ? text[from] : '\0';
            int to = quote != '\0' ? text.IndexOf(quote, from + 1) : text.IndexOfAny([' ', ';', ',', '"', '\'', '\r', '\n'], from);
            from += quote != '\0' ? 1 : 0;
            to = to < 0 ? text.Length : to;
            if (to > from)
            {
                yield return (text.Substring(begin, equals - begin).TrimStart('-', '.'), text.Substring(from, to - from));
            }
        }
    }

    /// <summary>Replaces the passwords of addresses, short ones too.</summary>
    /// <returns>The same text if it has none.</returns>
    public static string WithoutPasswords(string value)
    {
        int at = 0, done = 0;
        StringBuilder? masked = null;
        while (NextPassword(value, ref at, out int length))
        {
            masked ??= new StringBuilder(value.Length);
            masked.Append(value, done, at - done).Append(SecretValues.Mask);
            done = at += length;
        }

        return masked is null ? value : masked.Append(value, done, value.Length - done).ToString();
    }

    /// <summary>Finds the next password of an address.</summary>
    /// <param name="value">The value.</param>
    /// <param name="at">From where on; then its place.</param>
    /// <param name="length">Its length.</param>
    private static bool NextPassword(string value, ref int at, out int length)
    {
        length = 0;
        for (at = value.IndexOf(Scheme, at, StringComparison.Ordinal); at >= 0; at = value.IndexOf(Scheme, at, StringComparison.Ordinal))
        {
            at += Scheme.Length;
            int end = value.IndexOfAny(['/', '?', '#', ' ', '"', '\'', '\r', '\n'], at);
            end = end < 0 ? value.Length : end;
            int host = end == at ? -1 : value.LastIndexOf('@', end - 1, end - at);
            int colon = host < 0 ? -1 : value.IndexOf(':', at, host - at);
            if (colon >= 0 && colon + 1 < host && value.IndexOf(SecretValues.Mask, colon + 1, StringComparison.Ordinal) != colon + 1)
            {
                (at, length) = (colon + 1, host - colon - 1);
                return true;
            }
        }

        return false;
    }

    /// <summary>Reads a text of JSON (RFC 8259, 7); null if it has no end.</summary>
    /// <param name="json">The JSON.</param>
    /// <param name="at">The place of its first quotation mark; then behind its last.</param>
    private static string? Text(string json, ref int at)
    {
        var text = new StringBuilder();
        for (int i = at + 1; i < json.Length; i++)
        {
            if (json[i] == '"')
            {
                at = i + 1;
                return text.ToString();
            }

            if (json[i] == '\\' && ++i < json.Length && json[i] is not ('"' or '\\' or '/'))
            {
                text.Append('\\');   // an escape of another kind stays as it is
            }

            if (i < json.Length)
            {
                text.Append(json[i]);
            }
        }

        return null;
    }
}
