using System.Net.Sockets;

namespace Transport;

/// <summary>What every socket of this library is set to.</summary>
internal static class Descriptors
{
    /// <summary>
    /// The kernel's buffers, each way. The default of 208 KiB makes a 1 MB packet cost twice the CPU and six times the
    /// context switches; above 1 MiB nothing was gained. The kernel may cap it silently (net.core.wmem_max).
    /// </summary>
    private const int KernelBuffer = 1 << 20;

    /// <summary>What connections leave for the rest of the process: if no descriptor is left .NET may end it (Out of memory, SIGABRT),
    /// for instance because it cannot open an assembly.</summary>
    private const int Reserve = 32;

    /// <summary>Checks whether few descriptors are left. The system gives the lowest free number, so the newest reports how many are
    /// taken.</summary>
    public static bool AreFew(int newest)
    {
        long most = FileDescriptor.Limit();
        return most > 0 && newest >= most - Reserve;
    }

    public static void Prepare(Socket socket)
    {
        KeepFromChildren(socket);
        try
        {
            socket.SendBufferSize = KernelBuffer;
            socket.ReceiveBufferSize = KernelBuffer;
        }
        catch (SocketException)
        {
            // A smaller buffer is slower, not wrong.
        }
    }

    /// <summary>.NET makes its sockets close-on-exec; Mono does not. A child that kept one would keep the link from ending.</summary>
    public static void KeepFromChildren(Socket socket) => FileDescriptor.KeepFromChildren((int)socket.Handle);
}
