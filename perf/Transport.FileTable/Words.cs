using System;
using System.Globalization;
using System.Linq;

namespace Transport.FileTable;

/// <summary>Options of the command line.</summary>
internal sealed class Words(string[] words)
{
    public bool Has(string name) => Array.IndexOf(words, name) >= 0;

    public string Get(string name, string otherwise)
    {
        int at = Array.IndexOf(words, name);
        return at < 0 ? otherwise : at + 1 < words.Length ? words[at + 1] : throw new FormatException($"{name} needs a value");
    }

    public int Get(string name, int otherwise) =>
        int.Parse(Get(name, otherwise.ToString(CultureInfo.InvariantCulture)), CultureInfo.InvariantCulture);

    public int[] List(string name, string otherwise) =>
        [.. Get(name, otherwise).Split(',').Select(n => int.Parse(n, CultureInfo.InvariantCulture))];
}
