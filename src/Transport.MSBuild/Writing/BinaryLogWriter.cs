using System;
using System.IO;
using Microsoft.Build.Framework;
using Microsoft.Build.Logging;

namespace Transport.MSBuild;

/// <summary>Writes events as a binary log of MSBuild, with the SDK's own logger: what reads binary logs reads it. One thread; MSBuild's
/// logger has state of the process, so one at a time.</summary>
/// <remarks>Names MSBuild's types: the program must have found the SDK's assemblies before a method that calls this is compiled. A binary
/// log has no thread of an event, and not the project file of every message; all other fields are there.</remarks>
public sealed class BinaryLogWriter : IDisposable
{
    private readonly ReplaySource _source = new();
    private readonly TaskFoundText _tasks = new();
    private readonly BinaryLogger _logger;
    private readonly ProjectFiles? _files;
    private readonly string _path;
    private bool _isOpen;
    private bool _hasBegun;

    /// <summary>Initializes a new instance of the <see cref="BinaryLogWriter"/> class: makes the file.</summary>
    /// <param name="path">The file, by the rules of MSBuild with the ending <c>.binlog</c>; one that is there is overwritten.</param>
    /// <param name="projectFiles">Takes the project files, imports and response files that events name; each is put into the log as this
    /// machine has it while the log is written. Null by default: none is, since what is masked in an event may stand in them.</param>
    /// <param name="finalPath">Where the file will be, if it is moved afterwards: a binary log says its own path; null by default.</param>
    /// <exception cref="ArgumentNullException"><paramref name="path"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="path"/> does not end with <c>.binlog</c>, or has a semicolon or quotation
    /// mark.</exception>
    /// <exception cref="IOException">The file cannot be made.</exception>
    public BinaryLogWriter(string path, ProjectFiles? projectFiles = null, string? finalPath = null)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (!path.EndsWith(".binlog", StringComparison.OrdinalIgnoreCase) || path.AsSpan().IndexOfAny(';', '"') >= 0)
        {
            throw new ArgumentException(
                $"A binary log: expected a file that ends with .binlog, without ; and \", got {path}.", nameof(path));
        }

        _path = Path.GetFullPath(finalPath ?? path);
        _files = projectFiles;
        string imports = projectFiles is null ? "None" : "Embed";
        _logger = new BinaryLogger { Parameters = $"LogFile={Path.GetFullPath(path)};OmitInitialInfo;ProjectImports={imports}" };
        try
        {
            _logger.Initialize(_source);
            _isOpen = true;
        }
        catch (LoggerException e)
        {
            throw new IOException(e.Message, e);
        }
    }

    /// <summary>Writes an event.</summary>
    /// <param name="one">The event.</param>
    /// <exception cref="ArgumentNullException"><paramref name="one"/> is null.</exception>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(BuildEvent one)
    {
        ArgumentNullException.ThrowIfNull(one);
        if (one.Kind == BuildEventKind.BuildStarted && !_hasBegun)
        {
            _hasBegun = true;
            Begin(one);
        }

        _source.Raise(RecordedEvents.Of(one, _tasks));
        foreach (string file in _files?.Add(one) ?? [])
        {
            // MSBuild's logger looks for it in the folder that this process is in, up to 18.9.
            EventPrivates.Embed(_logger, file);
        }
    }

    /// <summary>Completes the file; without this a reader says that it is cut off.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Dispose()
    {
        if (_isOpen)
        {
            _isOpen = false;
            _logger.Shutdown();
        }
    }

    /// <summary>What MSBuild's logger itself says first. One that was read from a binary log has these two already, and names no
    /// language.</summary>
    private void Begin(BuildEvent started)
    {
        if (started.FurtherText(BuildEvent.Language) is not { } language)
        {
            return;
        }

        _tasks.Speak(language);
        foreach (string text in new[] { $"BinLogFilePath={_path}", $"{BuildEvent.Language}={language}" })
        {
            _source.Raise(new BuildMessageEventArgs(text, null, nameof(BinaryLogger), MessageImportance.Normal,
                new DateTime(started.Ticks, started.TimeKind)) { BuildEventContext = BuildEventContext.Invalid });
        }
    }
}
