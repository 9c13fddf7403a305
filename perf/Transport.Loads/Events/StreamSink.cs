using System;
using System.IO;
using System.Threading.Tasks;

namespace Transport.Loads.Events;

/// <summary>Where packets go that are read as streams: checks every byte, in pieces.</summary>
internal sealed class StreamSink(long length) : LoadSink
{
    private readonly byte[] _piece = new byte[64 << 10];

    public Task TakeAsync(Stream body)
    {
        long position = 0;
        bool isRight = true;
        for (int read = body.Read(_piece); read > 0; read = body.Read(_piece))
        {
            isRight &= CountingStream.IsPart(_piece.AsSpan(0, read), position);
            position += read;
        }

        if (!isRight || position != length)
        {
            Fail($"A stream of {length} bytes was changed on its way; {position} bytes were read.");
        }

        Came();
        return Task.CompletedTask;
    }
}
