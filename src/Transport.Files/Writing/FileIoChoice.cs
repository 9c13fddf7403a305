using System;

namespace Transport.Files;

/// <summary>Chooses how a file's bytes are written: by the option, the environment, or the platform and the size, in this order.</summary>
internal readonly struct FileIoChoice
{
    /// <summary>The environment variable.</summary>
    public const string Variable = "TRANSPORT_FILE_IO";

    /// <summary>
    /// On Windows mapping was faster up to 10 MB, on Linux at no size: measured by NuGet's authors (NuGet.Client pull request 4186), and on
    /// Linux again here.
    /// </summary>
    private const long MostMappedOnWindows = 10L << 20;
    private readonly FileIo _forced;
    private readonly bool _isWindows;

    /// <summary>Initializes a new instance of the <see cref="FileIoChoice"/> struct.</summary>
    /// <param name="option">The option.</param>
    /// <param name="environment">The value of <see cref="Variable"/>.</param>
    /// <param name="isWindows">Whether this is Windows.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.BadConfiguration"/>: the value is unknown.</exception>
    public FileIoChoice(FileIo option, string? environment, bool isWindows)
    {
        _isWindows = isWindows;
        _forced = option != FileIo.Auto ? option : environment switch
        {
            null or "" => FileIo.Auto,
            "stream" => FileIo.Stream,
            "mmap" => FileIo.Mmap,
            _ => throw new TransportException(
                TransportFault.BadConfiguration,
                $"{Variable} is '{TerminalText.Escape(environment)}', and stream or mmap is needed; unset it for the default."),
        };
    }

    /// <summary>Chooses for one file.</summary>
    /// <param name="length">Its length, or -1 if it is unknown.</param>
    public FileIo For(long length)
    {
        if (_forced != FileIo.Auto)
        {
            return _forced;
        }

        return _isWindows && length is > 0 and <= MostMappedOnWindows ? FileIo.Mmap : FileIo.Stream;
    }
}
