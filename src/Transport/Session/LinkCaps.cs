using System.Collections.Generic;
using System.Linq;

namespace Transport;

/// <summary>The words by which the two sides of a handshake say what they can do (PROTOCOL.md). Words that are not here are no
/// error.</summary>
internal static class LinkCaps
{
    /// <summary>A text that comes again is referred to, instead of being written out, in packets whose type asks for it.</summary>
    public const string Strings = "strings";

    /// <summary>The same for whole maps: properties, metadata.</summary>
    public const string Maps = "maps";

    /// <summary>The same in packets of applications (types from 1024 on), beside <see cref="Strings"/> or <see cref="Maps"/>: each type
    /// that asks for it is announced before its first packet.</summary>
    public const string Tables = "tables";

    /// <summary>The connecting side takes Stop: its main node can ask it to finish, in place of closing the link.</summary>
    public const string Stop = "stop";

    /// <summary>A request may grant credit, and is then answered by items before its answer. Always offered.</summary>
    public const string Streams = "streams";

    /// <summary>Reports what both sides can do.</summary>
    /// <param name="theirs">The peer's words.</param>
    /// <param name="ours">This side's options.</param>
    public static TableCaps Common(IReadOnlyList<string> theirs, LinkOptions ours) => new(
        ours.Tables.Strings && theirs.Contains(Strings),
        ours.Tables.Maps && theirs.Contains(Maps),
        ours.Tables.Types && theirs.Contains(Tables));

    /// <summary>Gives the words of Hello.</summary>
    public static IReadOnlyList<string> HelloWords(LinkOptions options) => [.. Words(options.Tables), Stop, Streams];

    /// <summary>Gives the words of Welcome.</summary>
    /// <param name="caps">What both sides can do with tables.</param>
    /// <param name="theirs">The peer's words.</param>
    public static IReadOnlyList<string> WelcomeWords(TableCaps caps, IReadOnlyList<string> theirs) =>
        theirs.Contains(Streams) ? [.. Words(caps), Streams] : Words(caps);

    /// <summary>Gives the words to write.</summary>
    private static List<string> Words(TableCaps caps)
    {
        var words = new List<string>(3);
        if (caps.Strings)
        {
            words.Add(Strings);
        }

        if (caps.Maps)
        {
            words.Add(Maps);
        }

        if (caps.Types)
        {
            words.Add(Tables);
        }

        return words;
    }
}
