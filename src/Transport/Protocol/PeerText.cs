namespace Transport;

/// <summary>Texts for people that cross the wire in control packets.</summary>
internal static class PeerText
{
    /// <summary>The most characters of such a text: a control packet is a single frame.</summary>
    public const int MaxChars = 1024;

    /// <summary>Cuts a text that is too long, never inside a surrogate pair.</summary>
    public static string Cut(string text)
    {
        if (text.Length <= MaxChars)
        {
            return text;
        }

        return text.Substring(0, char.IsHighSurrogate(text[MaxChars - 1]) ? MaxChars - 1 : MaxChars);
    }
}
