namespace Transport.Files;

/// <summary>Chooses the file system of an output. Nothing else knows both implementations.</summary>
internal static class PlatformFileSystem
{
    /// <summary>Returns the file system for an output or publication.</summary>
    /// <param name="options">Its options; a test may bring a file system of its own.</param>
    public static IFileSystem For(FileOutputOptions options) => options.FileSystem ?? Create();

    private static IFileSystem Create() =>
        Platform.IsLinux ? new UnixFileSystem(new UnixCalls()) : new PortableFileSystem(new PortableCalls());
}
