using System;
using System.IO;
using System.Threading.Tasks;

namespace Transport.Testing.Wires;

/// <summary>What tests do with wires again and again.</summary>
public static class WireReading
{
    /// <summary>Makes bytes that tell their position: any that is lost, doubled or moved shows.</summary>
    /// <param name="count">How many.</param>
    /// <param name="seed">Two patterns of different seeds differ.</param>
    /// <returns>The bytes.</returns>
    public static byte[] Pattern(int count, int seed = 0)
    {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++)
        {
            uint mixed = (uint)(i + (seed * 7919)) * 2654435761u;
            bytes[i] = (byte)(mixed >> 24);
        }

        return bytes;
    }

    /// <summary>Reads exactly so many bytes.</summary>
    /// <param name="wire">The wire.</param>
    /// <param name="count">How many.</param>
    /// <returns>The bytes.</returns>
    /// <exception cref="EndOfStreamException">The stream ended before.</exception>
    public static async Task<byte[]> ReadExactlyAsync(this IWire wire, int count)
    {
        byte[] bytes = new byte[count];
        for (int have = 0; have < count;)
        {
            int got = await wire.ReadAsync(bytes, have, count - have).Within($"byte {have} of {count}").ConfigureAwait(false);
            have += got > 0 ? got : throw new EndOfStreamException($"The stream ended after {have} of {count} bytes.");
        }

        return bytes;
    }

    /// <summary>Reads to the end of the stream.</summary>
    /// <param name="wire">The wire.</param>
    /// <returns>The bytes.</returns>
    public static async Task<byte[]> ReadToEndAsync(this IWire wire)
    {
        using var all = new MemoryStream();
        byte[] piece = new byte[64 << 10];
        int got;
        while ((got = await wire.ReadAsync(piece, 0, piece.Length).Within("the end of the stream").ConfigureAwait(false)) > 0)
        {
            all.Write(piece, 0, got);
        }

        return all.ToArray();
    }

    /// <summary>Writes on a thread of its own, as the send loop does.</summary>
    /// <param name="wire">The wire.</param>
    /// <param name="bytes">The bytes.</param>
    /// <returns>Completes when the write has returned.</returns>
    public static Task WriteOnThread(this IWire wire, byte[] bytes) => OnThread(() => wire.Write(bytes, 0, bytes.Length));

    /// <summary>Runs a blocking action on a thread of its own.</summary>
    /// <param name="action">The action.</param>
    /// <returns>Completes when the action has returned.</returns>
    public static Task OnThread(Action action) =>
        Task.Factory.StartNew(action, System.Threading.CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
