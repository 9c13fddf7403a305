using System;
using System.IO;
using Transport.Loads.Report;

namespace Transport.Loads.Commands;

/// <summary><c>picture TRACE.json FILE.svg TITLE</c>: a trace as a picture that can be committed.</summary>
internal static class PictureCommand
{
    public const string Word = "picture";

    public static int Run(string[] args)
    {
        if (args is not [var trace, var picture, var title])
        {
            Console.Error.WriteLine($"{Word} takes three words: TRACE.json FILE.svg TITLE.");
            return 2;
        }

        try
        {
            File.WriteAllText(picture, new TracePicture(new TraceFile(trace), title).ToString());
            return 0;
        }
        catch (LoadException wrong)
        {
            Console.Error.WriteLine(wrong.Message);
            return 2;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            Console.Error.WriteLine($"{picture} cannot be written: {e.Message}");
            return 2;
        }
    }
}
