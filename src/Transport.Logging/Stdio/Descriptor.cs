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
        _ = FileDescriptor.TryDuplicate(fd, out _original);
        Errno error = FileDescriptor.TryCreatePipe(out int read, out int write);
        if (error != Errno.None)
        {
            FileDescriptor.Close(_original);
            throw new IOException($"No pipe for the capture of descriptor {fd}: {error.Describe()}.");
        }

        ReadEnd = read;
        error = FileDescriptor.TryRedirect(write, fd);
        FileDescriptor.Close(write);
        if (error != Errno.None)
        {
            CloseRest();
            throw new IOException($"Descriptor {fd} could not be redirected: {error.Describe()}.");
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
            FileDescriptor.Close(_fd); // it was closed when the capture began
            return;
        }

        _ = FileDescriptor.TryRedirect(_original, _fd);
    }

    /// <summary>Reads once; false at the end.</summary>
    public bool ReadSome(byte[] buffer)
    {
        if (FileDescriptor.TryRead(ReadEnd, buffer, out int count) != Errno.None || count == 0)
        {
            return false;
        }

        _lines.Feed(buffer, 0, count);
        return true;
    }

    public void WriteOriginal(string line) => _ = FileDescriptor.TryWriteAll(_original, Utf8.GetBytes(line + "\n"));

    public void Finish()
    {
        _lines.Finish();
        CloseRest();
    }

    public void CloseRest()
    {
        FileDescriptor.Close(ReadEnd);
        FileDescriptor.Close(_original);
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
