using System;
using System.ComponentModel;
using System.IO;
using Transport;

namespace BuildHarness.Display;

/// <summary>The one way to say on stderr what went wrong.</summary>
internal static class Stderr
{
    /// <summary>
    /// Writes one line, which control characters in it cannot change, cut if it is too long to be read. Never throws: if stderr cannot
    /// be written (a full disk behind it), the exit code must do.
    /// </summary>
    public static void Report(string sentence)
    {
        try
        {
            Console.Error.WriteLine(TerminalText.Line(sentence.ReplaceLineEndings(" ")));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException
            or Win32Exception or OutOfMemoryException)
        {
            // The console itself may want for descriptors or a thread; else there is nowhere left to say it.
            RawStderr.Report(sentence.ReplaceLineEndings(" "));
        }
    }
}
