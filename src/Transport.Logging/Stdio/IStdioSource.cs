using System;

namespace Transport.Logging;

/// <summary>Something that takes over this process's output streams and feeds what is written to them into splitters.</summary>
internal interface IStdioSource
{
    /// <summary>Begins to feed the splitters. Called once.</summary>
    void Start();

    /// <summary>Gives the streams back, reads what was written until now and finishes the splitters. Called once.</summary>
    void Stop(TimeSpan deadline);

    /// <summary>Writes past the capture, to the stream as it was before.</summary>
    void WriteOriginal(OutputStream stream, string line);
}
