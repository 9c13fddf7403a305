namespace Transport.Files;

/// <summary>How the bytes of a file get into the system.</summary>
public enum FileIo
{
    /// <summary>As the environment variable <c>TRANSPORT_FILE_IO</c> says ("stream" or "mmap"), else what suits the platform and the size: <see cref="Stream"/> on Linux and macOS for every size; on Windows <see cref="Mmap"/> from 1 byte to 10 MiB.</summary>
    Auto = 0,

    /// <summary>write(2) in pieces of 80 KiB to 1 MiB, by size.</summary>
    Stream = 1,

    /// <summary>Blocks are reserved, the file is mapped, and the bytes are copied into the mapping. Refused where blocks cannot be reserved: a full disk would then end the process. On Linux slower at every size.</summary>
    Mmap = 2,
}
