using System;
using System.IO;
using System.Text;

namespace Transport.Logging;

/// <summary>One standard descriptor with a pipe in its place.</summary>
internal sealed class Descriptor
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    private readonly int _fd;
    private readonly int _original;
    private readonly LineSplitter _lines;
    private readonly TextWriter _writerBefore;
    private readonly TextWriter _writer;

    public Descriptor(int fd, LineSplitter lines)
    {
        _fd = fd;
        _lines = lines;

        // Asking for the writer makes it, on the original descriptor: .NET's console works on a duplicate made at first use.
        _writerBefore = fd == 1 ? Console.Out : Console.Error;
        _writerBefore.Flush();
        _original = Native.Duplicate(fd);
        if (!Native.TryPipe(out int read, out int write))
        {
            Native.Close(_original);
            throw new IOException($"No pipe for the capture of descriptor {fd}: the system refused one, most likely because too many files are open.");
        }

        ReadEnd = read;
        bool redirected = Native.Redirect(write, fd);
        Native.Close(write);
        if (!redirected)
        {
            CloseRest();
            throw new IOException($"Descriptor {fd} could not be redirected.");
        }

        Stream stream = fd == 1 ? Console.OpenStandardOutput() : Console.OpenStandardError();
        var writer = new StreamWriter(stream, Utf8) { AutoFlush = true };
        _writer = Set(writer);
    }

    /// <summary>Gets the end that the pump reads.</summary>
    public int ReadEnd { get; }

    /// <summary>Puts the original file back; what was written until now stays in the pipe.</summary>
    public void Restore()
    {
        TextWriter now = _fd == 1 ? Console.Out : Console.Error;
        now.Flush();
        if (ReferenceEquals(now, _writer))
        {
            Set(_writerBefore);
        }

        if (_original < 0)
        {
            Native.Close(_fd); // it was closed when the capture began
            return;
        }

        Native.Redirect(_original, _fd);
    }

    /// <summary>Reads once; false at the end.</summary>
    public bool ReadSome(byte[] buffer)
    {
        int count = Native.Read(ReadEnd, buffer);
        if (count > 0)
        {
            _lines.Feed(buffer, 0, count);
        }

        return count > 0;
    }

    public void WriteOriginal(string line) => Native.Write(_original, Utf8.GetBytes(line + "\n"));

    public void Finish()
    {
        _lines.Finish();
        CloseRest();
    }

    public void CloseRest()
    {
        Native.Close(ReadEnd);
        Native.Close(_original);
    }

    private TextWriter Set(TextWriter writer)
    {
        if (_fd == 1)
        {
            Console.SetOut(writer);
            return Console.Out;
        }

        Console.SetError(writer);
        return Console.Error;
    }
}
