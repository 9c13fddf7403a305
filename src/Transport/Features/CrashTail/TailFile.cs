using System;
using System.Globalization;
using System.IO;

namespace Transport;

/// <summary>The file of a worker's crash tail, as the main node holds it: made in the private folder, for this user alone, and
/// kept open, so that what is read later is this file whatever becomes of its name, and held, so that no other main node clears it
/// away.</summary>
internal sealed class TailFile : IDisposable
{
    private const string Inherited = "fd:";

    private readonly FileStream _file;   // one position for all readers: read and closed under the lock
    private readonly object _reading = new();
    private readonly int _bytes;
    private bool _nameless;

    private TailFile(string path, FileStream file, int bytes)
    {
        Path = path;
        _file = file;
        _bytes = bytes;
    }

    /// <summary>Gets where the worker finds it.</summary>
    public string Path { get; }

    /// <summary>Makes the file, full of zeros: a hole could not be filled on a full disk, and that would kill the worker
    /// (SIGBUS).</summary>
    /// <param name="path">A name that nobody uses.</param>
    /// <param name="bytes">Its size.</param>
    /// <exception cref="IOException">It could not be made; nothing is left of it.</exception>
    public static TailFile Create(string path, int bytes)
    {
        FileStream? file = null;
        try
        {
            file = HeldFile.Create(path);
            Fill(file, bytes);
            return new TailFile(path, file, bytes);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            if (file is not null)
            {
                file.Dispose();
                Remove(path);
            }

            throw new IOException($"\"{path}\" could not be made: {e.Message}", e);
        }
    }

    /// <summary>Makes a file that has no name, for a child that inherits it. Linux only.</summary>
    /// <param name="bytes">Its size.</param>
    /// <param name="ends">What the child inherits: its descriptor is added.</param>
    /// <exception cref="IOException">It could not be made.</exception>
    public static TailFile CreateInherited(int bytes, InheritedEnds ends)
    {
        Errno error = FileDescriptor.TryCreateMemory("transport-tail", out int made, InheritedEnds.Least);
        if (error != Errno.None)
        {
            throw new IOException($"A file in memory could not be made: {error.Describe()}");
        }

        var child = new DescriptorHandle(made);
        FileStream? file = null;
        try
        {
            // By its name in /proc: Mono takes no descriptor that it has not opened itself.
            file = new FileStream(NameOf(made), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
            Fill(file, bytes);
            _ = FileStatus.Read(made, out FileStatus status);
            var tail = new TailFile(Told(ends.NextNumber, status.Inode), file, bytes) { _nameless = true };
            ends.Add(child);
            return tail;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            file?.Dispose();
            child.Dispose();
            throw new IOException($"A file in memory could not be made: {e.Message}", e);
        }
    }

    /// <summary>Returns the name of an inherited file; that of a file if it is none; null: another file stands there.</summary>
    /// <param name="told">What the main node has told: a path, or <c>fd:NUMBER,INODE</c>.</param>
    /// <param name="number">The inherited descriptor, or -1.</param>
    public static string? Find(string told, out int number)
    {
        number = -1;
        if (!told.StartsWith(Inherited, StringComparison.Ordinal))
        {
            return told;
        }

        string[] words = told.Substring(Inherited.Length).Split(',');
        return words.Length == 2 && int.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out number)
            && FileStatus.Read(number, out FileStatus status) == Errno.None && status.Kind == FileKind.Regular
            && told == Told(number, status.Inode) ? NameOf(number) : null;
    }

    /// <summary>Takes the name away; the file stays for who has it open.</summary>
    public void Remove()
    {
        if (!SocketPath.IsWindows && !_nameless)
        {
            Remove(Path);
            _nameless = true;
        }
    }

    /// <summary>Reads all of it: no more than it had, whatever has become of it. Safe from any thread.</summary>
    /// <param name="problem">How it is not as it was made: somebody has cut it, or made it longer; else null.</param>
    /// <returns>As many bytes as it was made with; zeros behind where somebody has cut it. None if not even its header is
    /// left.</returns>
    /// <exception cref="IOException">The system could not read it.</exception>
    public byte[] Read(out string? problem)
    {
        byte[] bytes = new byte[_bytes];
        int done = 0;
        long length;
        lock (_reading)
        {
            _file.Position = 0;
            for (int count = 1; count > 0 && done < bytes.Length; done += count)
            {
                count = _file.Read(bytes, done, bytes.Length - done);
            }

            length = _file.Length;
        }

        problem = done < bytes.Length ? FormattableString.Invariant($"somebody has cut its file to {done} of {_bytes} bytes")
            : length > _bytes ? FormattableString.Invariant(
                $"somebody has made its file longer, from {_bytes} to {length} bytes: those behind were not looked at")
            : null;
        return done < TailLayout.Header ? [] : bytes;
    }

    public void Dispose()
    {
        lock (_reading)
        {
            _file.Dispose();
        }

        if (!_nameless)
        {
            Remove(Path);
            _nameless = true;
        }
    }

    private static void Fill(FileStream file, int bytes)
    {
        byte[] zeros = new byte[64 << 10];
        for (int done = 0; done < bytes; done += zeros.Length)
        {
            file.Write(zeros, 0, Math.Min(zeros.Length, bytes - done));
        }

        file.Flush();
    }

    private static string Told(int number, ulong inode) => FormattableString.Invariant($"{Inherited}{number},{inode}");

    private static string NameOf(int number) => FormattableString.Invariant($"/proc/self/fd/{number}");

    private static void Remove(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The next main node of this user clears away what is left (StaleSockets).
        }
    }
}
