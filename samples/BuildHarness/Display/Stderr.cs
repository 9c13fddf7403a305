using System;
using System.IO;

namespace BuildHarness.Display;

/// <summary>The one way to say on stderr what went wrong.</summary>
internal static class Stderr
{
    /// <summary>Writes one line. Never throws: where stderr cannot be written (a full disk behind it), the exit code must do.</summary>
    public static void Tell(string sentence)
    {
        try
        {
            Console.Error.WriteLine(sentence.ReplaceLineEndings(" "));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            // There is nowhere left to say it.
        }
    }
}
