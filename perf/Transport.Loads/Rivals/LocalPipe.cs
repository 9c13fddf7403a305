using System;
using System.IO.Pipes;
using Transport.Loads.Scratch;

namespace Transport.Loads.Rivals;

/// <summary>Named pipes for the rivals.</summary>
internal static class LocalPipe
{
    /// <summary>Makes a pipe of a new name for one connection.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="buffer">The bytes of its buffers; 0: the system's.</param>
    public static NamedPipeServerStream Listen(out string name, int buffer = 0)
    {
        name = OperatingSystem.IsWindows() ? $"loads-{Guid.NewGuid():N}" : ScratchPath.New("pipe");
        return new NamedPipeServerStream(name, PipeDirection.InOut, 1, PipeTransmissionMode.Byte, PipeOptions.Asynchronous, buffer, buffer);
    }
}
