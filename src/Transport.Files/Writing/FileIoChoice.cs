using System;

namespace Transport.Files;

/// <summary>Which way a file's bytes go: the option, else the environment, else what suits platform and size.</summary>
internal readonly struct FileIoChoice
{
    public const string Variable = "TRANSPORT_FILE_IO";

    /// <summary>On Windows mapping was faster up to 10 MB, on Linux at no size: measured by NuGet's authors (NuGet.Client pull request 4186), and on Linux again here.</summary>
    private const long MostMappedOnWindows = 10L << 20;
    private readonly FileIo _forced;
    private readonly bool _isWindows;

    public FileIoChoice(FileIo option, string? environment, bool isWindows)
    {
        _isWindows = isWindows;
        _forced = option != FileIo.Auto ? option : environment switch
        {
            null or "" => FileIo.Auto,
            "stream" => FileIo.Stream,
            "mmap" => FileIo.Mmap,
            _ => throw new TransportException(TransportFault.BadOptions, $"{Variable} is '{EntryName.Escape(environment)}', and stream or mmap is needed; unset it for the default."),
        };
    }

    /// <summary>Chooses for one file.</summary>
    /// <param name="length">Its bytes as far as known, or -1.</param>
    public FileIo For(long length) =>
        _forced != FileIo.Auto ? _forced : _isWindows && length is > 0 and <= MostMappedOnWindows ? FileIo.Mmap : FileIo.Stream;
}
