namespace Transport.Files;

/// <summary>How the bytes of a file are written.</summary>
public enum FileIo
{
    /// <summary>
    /// As the environment variable <c>TRANSPORT_FILE_IO</c> says ("stream" or "mmap"). Without it: <see cref="Stream"/> on Linux and macOS;
    /// on Windows <see cref="Mmap"/> from 1 byte to 10 MiB.
    /// </summary>
    Auto = 0,

    /// <summary>By write(2), in pieces of 80 KiB to 1 MiB.</summary>
    Stream = 1,

    /// <summary>
    /// Blocks are reserved, the file is mapped, and the bytes are copied into the mapping. Refused if blocks cannot be reserved, because a
    /// full disk would end the process. On Linux slower at every size.
    /// </summary>
    Mmap = 2,
}
