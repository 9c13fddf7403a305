using System;

namespace Transport.MSBuild;

/// <summary>
/// Most messages of a build repeat fields of their own event: <c>Target "Build" in file "…" from project "…"</c>. Without those fields few
/// different texts are left, which the link's string table knows. A cut-out field stands as one character of Unicode's private use, U+E000
/// and its number.
/// </summary>
internal static class MessageTemplate
{
    /// <summary>Longer messages travel as they are.</summary>
    public const int Longest = 1024;

    private const char First = '\ue000', Last = '\ue03f';
    private const int Shortest = 16, ShortestField = 3;

    /// <summary>Cuts an event's fields out of its message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="fields">The fields.</param>
    /// <param name="template">Where the template goes: <see cref="Longest"/> characters.</param>
    /// <returns>The template's length; 0 if nothing could be cut out, so that the message travels as it is.</returns>
    public static int Cut(string message, ReadOnlySpan<object?> fields, Span<char> template)
    {
        if (message.Length is < Shortest or > Longest || message.AsSpan().IndexOfAnyInRange(First, Last) >= 0)
        {
            return 0;
        }

        // Where each field stands next: -1 nowhere any more.
        Span<int> next = stackalloc int[Last - First];
        int count = Math.Min(fields.Length, next.Length);
        bool any = false;
        for (int i = 0; i < count; i++)
        {
            next[i] = fields[i] is string { Length: >= ShortestField } field ? message.AsSpan().IndexOf(field.AsSpan()) : -1;
            any |= next[i] >= 0;
        }

        return any ? Cut(message, fields.Slice(0, count), next, template) : 0;
    }

    /// <summary>Puts the fields back.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the message has more than <see cref="Longest"/>
    /// characters, which nobody cuts. Without this a few bytes could stand for any number of long fields.</exception>
    public static string Fill(string template, object?[] fields)
    {
        if (template.AsSpan().IndexOfAnyInRange(First, Last) < 0)
        {
            return template;
        }

        long length = 0;
        foreach (char c in template)
        {
            length += c is >= First and <= Last ? TextOf(fields, c).Length : 1;
        }

        if (length > Longest)
        {
            throw new TransportException(TransportFault.PacketMalformed,
                $"A message in parts: expected at most {Longest} characters with its fields put back, got {length}.");
        }

        Span<char> message = stackalloc char[Longest], free = message;
        ReadOnlySpan<char> rest = template.AsSpan();
        for (int at = rest.IndexOfAnyInRange(First, Last); at >= 0; at = rest.IndexOfAnyInRange(First, Last))
        {
            string field = TextOf(fields, rest[at]);
            rest.Slice(0, at).CopyTo(free);
            field.AsSpan().CopyTo(free.Slice(at));
            free = free.Slice(at + field.Length);
            rest = rest.Slice(at + 1);
        }

        rest.CopyTo(free);
        return message.Slice(0, (int)length).ToString();
    }

    private static string TextOf(object?[] fields, char place) => place - First < fields.Length ? fields[place - First] as string
        ?? string.Empty : string.Empty;

    private static int Cut(string message, ReadOnlySpan<object?> fields, Span<int> next, Span<char> template)
    {
        int written = 0, done = 0;
        while (true)
        {
            int best = -1, length = 0;
            for (int i = 0; i < fields.Length; i++)
            {
                if (next[i] < 0)
                {
                    continue;
                }

                string field = (string)fields[i]!;
                if (next[i] < done)
                {
                    int more = message.AsSpan(done).IndexOf(field.AsSpan());
                    next[i] = more < 0 ? -1 : done + more;
                }

                bool isBetter = next[i] >= 0 && (best < 0 || next[i] < next[best] || (next[i] == next[best] && field.Length > length));
                (best, length) = isBetter ? (i, field.Length) : (best, length);
            }

            int end = best < 0 ? message.Length : next[best];
            message.AsSpan(done, end - done).CopyTo(template.Slice(written));
            written += end - done;
            if (best < 0)
            {
                return written;
            }

            template[written++] = (char)(First + best);
            done = end + length;
        }
    }
}
