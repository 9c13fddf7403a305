using System;
using System.Collections.Generic;
using System.IO;

namespace Transport.Fuzz.Inputs;

/// <summary>The inputs that are kept: golden files of the wire's tests, and corpus.txt, a line an input.</summary>
internal static class Golden
{
    public static byte[] File(string name) => System.IO.File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, "golden", name));

    /// <summary>Reads a golden file's one frame, without its header.</summary>
    public static byte[] Body(string name) => File(name).AsSpan(10).ToArray();

    /// <summary>Reads the lines of corpus.txt for a target: its name, hex digits, and behind # what it is about.</summary>
    public static IEnumerable<byte[]> Of(string target)
    {
        foreach (string line in System.IO.File.ReadLines(Path.Combine(AppContext.BaseDirectory, "corpus.txt")))
        {
            int hash = line.IndexOf('#');
            string[] words = (hash < 0 ? line : line.Substring(0, hash)).Split([' '], StringSplitOptions.RemoveEmptyEntries);
            if (words.Length == 2
                && (words[0] == target || (words[0] == "packet:*" && target.StartsWith("packet:", StringComparison.Ordinal))))
            {
                yield return Hex(words[1]);
            }
        }
    }

    public static byte[] Hex(string digits)
    {
        var bytes = new byte[digits.Length / 2];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = Convert.ToByte(digits.Substring(2 * i, 2), 16);
        }

        return bytes;
    }
}
