using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.Fuzz.Inputs;
using Transport.Fuzz.Targets;

namespace Transport.Fuzz.Running;

/// <summary>Inputs that failed, one file each: shortened, and with a line that says how to run it again.</summary>
internal sealed class CrashFiles(string folder)
{
    private const int Tries = 3000;
    private readonly HashSet<ulong> _known = [];

    public int Count => _known.Count;

    /// <summary>Keeps an input, unless one that failed the same way is kept already.</summary>
    public void Keep(FuzzTarget target, byte[] input, Exception failure, bool shorten = true)
    {
        if (!_known.Add(PrintOf(target, failure)))
        {
            return;
        }

        byte[] least = shorten ? Shortened(target, input, failure) : input;
        Directory.CreateDirectory(folder);
        string file = Path.Combine(folder, $"{target.Name.Replace(':', '+')}-{Fingerprint.Of(least):x16}.bin");
        File.WriteAllBytes(file, least);
        File.WriteAllText(file + ".txt", failure.ToString());
        Console.WriteLine($"FAILED {target.Name}: {failure.GetType().Name}: {failure.Message}");
        Console.WriteLine($"  {least.Length} bytes: "
            + $"{string.Concat(least.Take(48).Select(b => b.ToString("x2")))}{(least.Length > 48 ? "…" : string.Empty)}");
        Console.WriteLine($"  replay: dotnet run -c Release --project tests/Transport.Fuzz -f net10.0 -- --replay {file}");
    }

    /// <summary>The target that a file's name says.</summary>
    public static string TargetOf(string file)
    {
        string name = Path.GetFileName(file);
        int dash = name.LastIndexOf('-');
        return (dash < 0 ? name : name.Substring(0, dash)).Replace('+', ':');
    }

    private static ulong PrintOf(FuzzTarget target, Exception failure) =>
        Fingerprint.OfShape(target.Name + failure.GetType() + Shape(failure));

    /// <summary>The beginning of the message: what comes later may be the input's own text.</summary>
    private static string Shape(Exception failure) => failure.Message.Length > 60 ? failure.Message.Substring(0, 60) : failure.Message;

    private static byte[] Shortened(FuzzTarget target, byte[] input, Exception failure)
    {
        ulong print = PrintOf(target, failure);
        int tries = 0;
        for (int piece = Math.Max(1, input.Length / 2); piece > 0 && tries < Tries; piece /= 2)
        {
            for (int at = 0; at + piece <= input.Length && tries < Tries; tries++)
            {
                byte[] shorter = [.. input.Take(at), .. input.Skip(at + piece)];
                if (Fails(target, shorter, print))
                {
                    input = shorter;
                }
                else
                {
                    at += piece;
                }
            }
        }

        return input;
    }

    private static bool Fails(FuzzTarget target, byte[] input, ulong print)
    {
        try
        {
            target.Run(input);
            return false;
        }
        catch (Exception e)
        {
            return PrintOf(target, e) == print;
        }
    }
}
