using System;
using System.Text;

namespace Transport.Journal;

/// <summary>The names of nodes as they stand in records. The sums of a record with a name that no journal writes hold, so no disk has
/// changed it: somebody has made it by other means. Segments are looked at by several threads.</summary>
internal sealed class NodeNames
{
    private readonly object _gate = new();
    private readonly NodeTable<string> _seen = new();   // under the lock

    /// <summary>Gets the position of the first record whose name no journal writes; 0 if there is none.</summary>
    public long WrongAt { get; private set; }

    /// <summary>Gets what is wrong with it.</summary>
    public string? Wrong { get; private set; }

    /// <summary>Reads a name.</summary>
    /// <exception cref="JournalException"><see cref="JournalFault.Damaged"/>: no journal writes such a name.</exception>
    public static string Of(ReadOnlySpan<byte> utf8, long position)
    {
        string name = Text(utf8);
        return IsName(name) ? name : throw new JournalException(JournalFault.Damaged, Fault(name, position));
    }

    /// <summary>Looks at a name, and keeps the first that is none.</summary>
    public void Look(ReadOnlySpan<byte> utf8, long position)
    {
        lock (_gate)
        {
            if (_seen.Find(utf8, 0) is null)
            {
                _seen.Add(utf8, 0, Shown(utf8, position));
            }
        }
    }

    /// <summary>Reads a name, and keeps the first that is none; one thread, or under the lock.</summary>
    /// <returns>The name, fit for a terminal.</returns>
    public string Shown(ReadOnlySpan<byte> utf8, long position)
    {
        string name = Text(utf8);
        if (!IsName(name) && (Wrong is null || position < WrongAt))
        {
            (WrongAt, Wrong) = (position, Fault(name, position));
        }

        return TerminalText.Line(name, JournalNode.MaxLength);
    }

    /// <summary>A record may name nobody.</summary>
    private static bool IsName(string name) => name.Length == 0 || NodeName.IsValid(name);

    private static string Text(ReadOnlySpan<byte> utf8) => Encoding.UTF8.GetString(utf8.ToArray());

    private static string Fault(string name, long position) => FormattableString.Invariant(
        $"The record at position {position} names a node \"{TerminalText.Line(name, JournalNode.MaxLength)}\", which no journal writes: ")
        + "the file was made by something else.";
}
