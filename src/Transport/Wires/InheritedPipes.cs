using System;
using System.IO;

namespace Transport;

/// <summary>Both ends of the two pipes between a main node and a child that is about to start.</summary>
internal sealed class InheritedPipes : IDisposable
{
    /// <summary>What each pipe is to hold: as much as a segment. The system gives less to a user who has many.</summary>
    private const int Capacity = 256 << 10;

    private InheritedPipes(InheritedEnds child, InheritedWire own) => (Child, Own) = (child, own);

    /// <summary>Gets the child's ends.</summary>
    public InheritedEnds Child { get; }

    /// <summary>Gets this side's ends.</summary>
    public InheritedWire Own { get; }

    /// <summary>Makes them.</summary>
    /// <exception cref="IOException">The system gives no pipe.</exception>
    public static InheritedPipes Create()
    {
        InheritedWire? own = null;
        (DescriptorHandle Read, DescriptorHandle Write) down = CreatePipe(), up = default;
        try
        {
            up = CreatePipe();
            own = InheritedWire.Create(up.Read, down.Write, new PeerIdentity { IsInherited = true });
            return !Descriptors.AreFew(up.Write.Fd) ? new InheritedPipes(new InheritedEnds(down.Read, up.Write), own)
                : throw new IOException("No pipes to it were made: this process has too few file descriptors left.");
        }
        catch
        {
            own?.Dispose();
            down.Read.Dispose();
            down.Write.Dispose();
            up.Read?.Dispose();
            up.Write?.Dispose();
            throw;
        }
    }

    /// <summary>Closes the child's ends here, and this side's too.</summary>
    public void Dispose()
    {
        Child.Dispose();
        Own.Dispose();
    }

    private static (DescriptorHandle Read, DescriptorHandle Write) CreatePipe()
    {
        Errno error = FileDescriptor.TryCreatePipe(out int read, out int write, InheritedEnds.Least);
        if (error != Errno.None)
        {
            throw new IOException($"No pipes to it were made: {error.Describe()}.");
        }

        FileDescriptor.TrySetPipeCapacity(write, Capacity);
        return (new DescriptorHandle(read), new DescriptorHandle(write));
    }
}
