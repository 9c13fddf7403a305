using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;

namespace Transport.Testing.Wires;

/// <summary>What tests do with wires again and again.</summary>
internal static class WireReading
{
    private static int BoundMs => (int)WithinExtensions.Bound.TotalMilliseconds;

    /// <summary>Makes bytes that report their position: any that is lost, doubled or moved shows.</summary>
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

    /// <summary>Reads on a thread of its own, without limit.</summary>
    /// <param name="wire">The wire.</param>
    /// <param name="buffer">The buffer to fill.</param>
    /// <param name="offset">The first byte to fill.</param>
    /// <param name="count">How many bytes there is capacity for.</param>
    /// <returns>What <see cref="IWire.Read"/> returns.</returns>
    public static Task<int> ReadAsync(this IWire wire, byte[] buffer, int offset, int count) =>
        OnThread(() => wire.Read(buffer, offset, count, -1));

    /// <summary>Accepts a connection on a thread of its own.</summary>
    /// <param name="listener">The listener; nobody else may wait at it.</param>
    /// <returns>The wire.</returns>
    public static Task<IWire> AcceptAsync(this IWireListener listener) => OnThread(() =>
    {
        while (true)
        {
            listener.Wait([], new List<int>(), accept: true);
            if (listener.TryAccept() is { } wire)
            {
                return wire;
            }
        }
    });

    /// <summary>Reads exactly so many bytes.</summary>
    /// <param name="wire">The wire.</param>
    /// <param name="count">How many.</param>
    /// <returns>The bytes.</returns>
    /// <exception cref="EndOfStreamException">The stream ended before.</exception>
    public static async Task<byte[]> ReadExactlyAsync(this IWire wire, int count)
    {
        byte[] bytes = new byte[count];
        int have = wire.Fill(bytes, 0, patience: 0);
        if (have < count)
        {
            have = await OnThread(() => wire.Fill(bytes, have, BoundMs)).ConfigureAwait(false);
        }

        return have == count ? bytes : throw new TimeoutException($"After {BoundMs} ms still waiting for byte {have} of {count}.");
    }

    /// <summary>Fills a buffer on this thread.</summary>
    /// <param name="wire">The wire.</param>
    /// <param name="bytes">The buffer.</param>
    /// <param name="have">How many bytes it has already.</param>
    /// <param name="patience">How long to wait for each read, in milliseconds.</param>
    /// <returns>How many bytes it has: fewer than it holds if nothing came in time.</returns>
    /// <exception cref="EndOfStreamException">The stream ended before.</exception>
    public static int Fill(this IWire wire, byte[] bytes, int have, int patience)
    {
        int got = 0;
        for (; have < bytes.Length && got >= 0; have += Math.Max(got, 0))
        {
            got = wire.Read(bytes, have, bytes.Length - have, patience);
            if (got == 0)
            {
                throw new EndOfStreamException($"The stream ended after {have} of {bytes.Length} bytes.");
            }
        }

        return have;
    }

    /// <summary>Reads to the end of the stream.</summary>
    /// <param name="wire">The wire.</param>
    /// <returns>The bytes.</returns>
    public static Task<byte[]> ReadToEndAsync(this IWire wire) => OnThread(() =>
    {
        using var all = new MemoryStream();
        byte[] piece = new byte[64 << 10];
        int got;
        while ((got = wire.Read(piece, 0, piece.Length, BoundMs)) > 0)
        {
            all.Write(piece, 0, got);
        }

        return got == 0 ? all.ToArray() : throw new TimeoutException($"After {BoundMs} ms still waiting for the end of the stream.");
    });

    /// <summary>Writes on a thread of its own, as the send loop does.</summary>
    /// <param name="wire">The wire.</param>
    /// <param name="bytes">The bytes.</param>
    /// <returns>Completes when the write has returned.</returns>
    public static Task WriteOnThread(this IWire wire, byte[] bytes) => OnThread(() => wire.Write(bytes, 0, bytes.Length));

    /// <summary>Runs a blocking function on a thread of its own.</summary>
    /// <typeparam name="T">What it returns.</typeparam>
    /// <param name="action">The function.</param>
    /// <returns>Its result.</returns>
    public static Task<T> OnThread<T>(Func<T> action) =>
        Task.Factory.StartNew(action, System.Threading.CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <summary>Runs a blocking action on a thread of its own.</summary>
    /// <param name="action">The action.</param>
    /// <returns>Completes when the action has returned.</returns>
    public static Task OnThread(Action action) =>
        Task.Factory.StartNew(action, System.Threading.CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
