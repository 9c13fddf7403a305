using System;
using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Transport.Life.Bare;

/// <summary>
/// What a worker of one purpose costs at least: a program that connects a Unix socket, writes events into batches of 64 KB and ends.
/// <c>bare SOCKET once|idle|events MILLIONS</c>.
/// </summary>
internal static class Program
{
    private const int BatchSize = 64 * 1024;
    private const int Million = 1_000_000;

    private static int Main(string[] args)
    {
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Connect(new UnixDomainSocketEndPoint(args[0]));
        byte[] batch = new byte[BatchSize];
        byte[] text = Encoding.UTF8.GetBytes(new string('x', 200));
        if (args[1] != "events")
        {
            int length = Encode(batch, 1, text);
            _ = socket.Send(batch.AsSpan(0, length));
            if (args[1] == "idle")
            {
                _ = socket.Receive(batch);   // until the main process closes
            }

            return 0;
        }

        for (int million = 0; million < int.Parse(args[2], CultureInfo.InvariantCulture); million++)
        {
            TimeSpan before = million == 0 ? TimeSpan.Zero : Process.GetCurrentProcess().TotalProcessorTime;
            int used = 0;
            for (int i = 0; i < Million; i++)
            {
                if (used + 256 > batch.Length)
                {
                    _ = socket.Send(batch.AsSpan(0, used));
                    used = 0;
                }

                used += Encode(batch.AsSpan(used), i, text);
            }

            _ = socket.Send(batch.AsSpan(0, used));
            Console.WriteLine(FormattableString.Invariant(
                $"cpu {(Process.GetCurrentProcess().TotalProcessorTime - before).TotalMilliseconds}"));
        }

        return 0;
    }

    private static int Encode(Span<byte> to, long number, byte[] text)
    {
        BinaryPrimitives.WriteInt32LittleEndian(to, text.Length + 20);
        BinaryPrimitives.WriteInt64LittleEndian(to[4..], number);
        BinaryPrimitives.WriteInt64LittleEndian(to[12..], Stopwatch.GetTimestamp());
        text.CopyTo(to[20..]);
        return 20 + text.Length;
    }
}
