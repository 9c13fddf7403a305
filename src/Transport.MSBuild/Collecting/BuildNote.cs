using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace Transport.MSBuild;

/// <summary>What a running build lets other processes of this user know: where its journal is, and where loggers connect to. A file of this
/// user alone (0600), in the private folder of endpoints, which it holds (<see cref="HeldFile"/>); it goes with its process. One
/// thread.</summary>
public sealed class BuildNote : IDisposable
{
    private const string JournalName = "journal=";

    private readonly string? _journal;
    private readonly string? _private;
    private readonly Dictionary<string, FileStream> _held = new(StringComparer.Ordinal);

    /// <summary>Initializes a new instance of the <see cref="BuildNote"/> class: writes the note.</summary>
    /// <param name="journal">The journal's folder; null: the build has none.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: there is no folder that is this user's alone; the
    /// message says why and what to do.</exception>
    /// <exception cref="IOException">It cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be written.</exception>
    public BuildNote(string? journal)
        : this(journal, isPrivate: false)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="BuildNote"/> class, for a collector.</summary>
    /// <param name="journal">The journal's folder; null: the build has none.</param>
    /// <param name="isPrivate">Whether the way to connect is in a file of its own that loggers do not look for, so that only those who are
    /// given its path come.</param>
    internal BuildNote(string? journal, bool isPrivate)
    {
        _private = isPrivate ? EndpointDirectory.NewConnection() : null;
        _journal = journal is null ? null : System.IO.Path.GetFullPath(journal);
        Path = EndpointDirectory.NewNote();
        Write(connection: null);
    }

    /// <summary>Gets the file.</summary>
    public string Path { get; }

    /// <summary>Gets the file that says how to connect.</summary>
    internal string ConnectionPath => _private ?? Path;

    /// <summary>Removes the note. Never throws: one that stays is removed by the next process that looks.</summary>
    public void Dispose()
    {
        foreach (string path in _private is null ? [Path] : new[] { Path, _private })
        {
            if (_held.Remove(path, out FileStream? file))
            {
                file.Dispose();
            }

            try
            {
                File.Delete(path);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // Its process is about to end, which is what makes it stale.
            }
        }
    }

    /// <summary>Returns the journals of this user's running builds, the newest first.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: as for the constructor.</exception>
    /// <exception cref="IOException">The folder cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be read.</exception>
    public static IReadOnlyList<string> RunningJournals() => [.. RunningNotes.Paths().Select(JournalOf).OfType<string>()];

    /// <summary>Writes the note anew; who reads it sees the old one or the new one.</summary>
    /// <param name="connection">Where a logger connects to; null: nowhere.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be written.</exception>
    internal void Write(ConnectionFile? connection)
    {
        string journal = _journal is null ? string.Empty : $"{JournalName}{_journal}\n";
        if (_private is null)
        {
            Write(Path, connection?.Text + journal);
        }
        else
        {
            Write(_private, connection?.Text ?? string.Empty);
            Write(Path, journal);
        }
    }

    private void Write(string path, string text)
    {
        string draft = path + ".new";
        File.Delete(draft);
        FileStream file = HeldFile.Create(draft);
        try
        {
            file.Write(Encoding.UTF8.GetBytes(text));
            file.Flush();
            if (OperatingSystem.IsWindows())
            {
                file.Dispose();
            }

            File.Move(draft, path, overwrite: true);
        }
        catch
        {
            file.Dispose();
            throw;
        }

        _held.Remove(path, out FileStream? before);
        before?.Dispose();
        _held[path] = file;
    }

    private static string? JournalOf(string note)
    {
        try
        {
            return File.ReadLines(note).FirstOrDefault(line => line.StartsWith(JournalName, StringComparison.Ordinal))
                ?[JournalName.Length..];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;   // its build has just ended
        }
    }
}
