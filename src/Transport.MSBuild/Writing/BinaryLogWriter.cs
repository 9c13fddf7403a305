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
    private readonly BinaryLogger _logger;
    private bool _isOpen;

    /// <summary>Initializes a new instance of the <see cref="BinaryLogWriter"/> class: makes the file.</summary>
    /// <param name="path">The file, by the rules of MSBuild with the ending <c>.binlog</c>; one that is there is overwritten.</param>
    /// <exception cref="ArgumentNullException"><paramref name="path"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="path"/> does not end with <c>.binlog</c>, or has a semicolon or quotation
    /// mark.</exception>
    /// <exception cref="IOException">The file cannot be made.</exception>
    public BinaryLogWriter(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (!path.EndsWith(".binlog", StringComparison.OrdinalIgnoreCase) || path.AsSpan().IndexOfAny(';', '"') >= 0)
        {
            throw new ArgumentException(
                $"A binary log: expected a file that ends with .binlog, without ; and \", got {path}.", nameof(path));
        }

        _logger = new BinaryLogger { Parameters = $"LogFile={Path.GetFullPath(path)};OmitInitialInfo;ProjectImports=None" };
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
        _source.Raise(RecordedEvents.Of(one));
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
}
