using System;
using System.Runtime.CompilerServices;

namespace Transport.Loads.Events;

/// <summary>Makes event number n, and reports whether what came is event number n. Sender and receiver each have one, made from the same
/// seed.</summary>
/// <remarks>
/// Sender of 3 to 26 characters, message of 40 to 400, one in 32 with a character beyond ASCII; no two messages are the same, because each
/// carries its number. A check compares every field and every character, so that no side can win by losing something; it costs each
/// receiver the same.
/// </remarks>
internal sealed class EventCatalog
{
    /// <summary>The first id: far enough from 0 that every id takes the same 5 bytes as MessagePack.</summary>
    public const long FirstId = 1 << 24;

    /// <summary>How many texts there are before they repeat (with other numbers in them).</summary>
    public const int Kinds = 4096;

    private const int Stamp = 5;        // where the number stands in the message
    private const int StampLength = 8;  // hex digits
    private const long FirstTick = 638_000_000_000_000_000;

    private readonly string[] _messages = new string[Kinds];
    private readonly string[] _senders = new string[Kinds];
#if !NET
    private readonly char[] _scratch = new char[512];   // one thread makes events there
#endif

    public EventCatalog()
    {
        var random = new Random(20_260_101);
        for (int i = 0; i < Kinds; i++)
        {
            var text = new char[40 + random.Next(361)];
            for (int c = 0; c < text.Length; c++)
            {
                text[c] = random.Next(6) == 0 ? ' ' : (char)('a' + random.Next(26));
            }

            "Task ".CopyTo(0, text, 0, Stamp);
            if (i % 32 == 0)
            {
                text[20] = 'é';
            }

            _messages[i] = new string(text);
            _senders[i] = new string((char)('A' + (i % 26)), random.Next(3, 27));
        }
    }

    /// <summary>Makes event number <paramref name="id"/>: the two objects are the load's own, and all it allocates.</summary>
    public LoadEvent Make(long id)
    {
        int kind = (int)(id & (Kinds - 1));
        string template = _messages[kind];
#if NET
        string message = string.Create(template.Length, (template, id), static (text, state) =>
        {
            state.template.CopyTo(text);
            WriteStamp(text.Slice(Stamp, StampLength), (uint)state.id);
        });
#else
        template.CopyTo(0, _scratch, 0, template.Length);
        WriteStamp(_scratch.AsSpan(Stamp, StampLength), (uint)id);
        string message = new(_scratch, 0, template.Length);
#endif
        return new LoadEvent
        {
            Id = id,
            Ticks = FirstTick + (id * 10_000),
            Importance = kind % 3,
            Project = kind % 500,
            Target = kind % 2000,
            Sender = _senders[kind],
            Message = message,
        };
    }

    /// <summary>Checks whether this is event number <paramref name="id"/>, whole and unchanged.</summary>
    public bool IsEvent(LoadEvent e, long id)
    {
        int kind = (int)(id & (Kinds - 1));
        string template = _messages[kind];
        return e.Id == id
            && e.Ticks == FirstTick + (id * 10_000)
            && e.Importance == kind % 3
            && e.Project == kind % 500
            && e.Target == kind % 2000
            && string.Equals(e.Sender, _senders[kind], StringComparison.Ordinal)
            && e.Message.Length == template.Length
            && HasStamp(e.Message, (uint)id)
            && SameText(e.Message, template, 0, Stamp)
            && SameText(e.Message, template, Stamp + StampLength, template.Length);
    }

    /// <summary>By the string's own comparison: that of spans took Mono as long as all the rest of a receiver.</summary>
    private static bool SameText(string a, string b, int from, int to) => string.CompareOrdinal(a, from, b, from, to - from) == 0;

    private static bool HasStamp(string text, uint number)
    {
        for (int i = 0; i < StampLength; i++)
        {
            if (text[Stamp + i] != Digit(number, i))
            {
                return false;
            }
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static char Digit(uint number, int place) => "0123456789abcdef"[(int)(number >> (28 - (4 * place))) & 15];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteStamp(Span<char> to, uint number)
    {
        for (int i = 0; i < StampLength; i++)
        {
            to[i] = Digit(number, i);
        }
    }
}
