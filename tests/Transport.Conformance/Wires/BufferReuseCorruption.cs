using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>
/// dotnet/msbuild#6023: one buffer, overwritten while an asynchronous write that nobody awaited still read from it; on Mono
/// the receiver got junk. The reader here stands behind a gate until every write was issued, so that the faulty way is
/// caught on every runtime, and the owned way is tested under the very conditions in which the faulty one fails.
/// </summary>
[TestFixture(StreamKind.PipeAsynchronous)]
[TestFixture(StreamKind.PipeSynchronous)]
[TestFixture(StreamKind.UnixSocket)]
[Platform(Exclude = "Win", Reason = "What is reproduced is the Unix side of the streams.")]
public sealed partial class BufferReuseCorruption(StreamKind kind)
{
    /// <summary>Packet sizes and counts whose sum is above what the kernel holds for a reader that does not read.</summary>
    private static readonly (int Size, int Count)[] Shapes = [(256, 32_768), (2048, 4096), (65_536, 128), (1_000_000, 10)];

    [Test]
    public async Task Reuse_under_an_unawaited_write_is_caught([ValueSource(nameof(Shapes))] (int Size, int Count) shape)
    {
        using var pair = await StreamPair.OpenAsync(kind);
        byte[] buffer = new byte[shape.Size];
        int calls = 0;
        var writes = new List<Task>(shape.Count);
        var issued = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<int> reading = CountJunkAsync(pair.Reader, shape, issued.Task);
        Task issuing = Task.Run(() =>
        {
            for (int i = 0; i < shape.Count; i++)
            {
                Packet.Fill(buffer, i); // The fault: the last write may not have read these bytes yet.
                writes.Add(pair.Writer.WriteAsync(buffer, 0, buffer.Length));
                Volatile.Write(ref calls, i + 1);
            }
        });

        // Mono's synchronous pipe lets one asynchronous write be pending and blocks in the next: then the buffer has
        // been overwritten once already.
        Stalled.WaitUntilSure(() => Volatile.Read(ref calls), shape.Count);
        issued.SetResult(true);
        await issuing.Within("issuing every write");
        int junk = await reading.Within("the reader");
        await Task.WhenAll(writes).Within("every write");
        Assert.That(junk, Is.GreaterThan(0), "the faulty way is caught, so this set-up can show the fault");
    }

    [Test]
    public async Task A_wire_that_owns_the_buffer_until_its_write_has_ended_never_shows_junk(
        [ValueSource(nameof(Shapes))] (int Size, int Count) shape)
    {
        using var rig = WireKinds.Open(kind == StreamKind.UnixSocket ? WireKinds.Unix : WireKinds.Pipe);
        (IWire server, IWire client) = await rig.PairAsync();
        using (server)
        using (client)
        {
            byte[] buffer = new byte[shape.Size];
            int written = 0;
            var heldUp = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            Task<int> reading = CountJunkAsync(server, shape, heldUp.Task);
            Task writing = WireReading.OnThread(() =>
            {
                for (int i = 0; i < shape.Count; i++)
                {
                    Packet.Fill(buffer, i);
                    client.Write(buffer, 0, buffer.Length);
                    Volatile.Write(ref written, i + 1);
                }
            });
            Stalled.Wait(() => Volatile.Read(ref written));
            Assert.That(written, Is.LessThan(shape.Count), "the kernel's buffers are full while the reader is held back");
            heldUp.SetResult(true);
            Assert.That(await reading.Within("the reader"), Is.Zero, "packets with junk");
            await writing.Within("the writer");
        }
    }

    private static async Task<int> CountJunkAsync(Stream stream, (int Size, int Count) shape, Task gate)
    {
        await gate;
        byte[] packet = new byte[shape.Size];
        int junk = 0;
        for (int i = 0; i < shape.Count; i++)
        {
            for (int have = 0; have < packet.Length;)
            {
                int got = await stream.ReadAsync(packet, have, packet.Length - have).Within($"packet {i}");
                have += got > 0 ? got : throw new EndOfStreamException();
            }

            junk += Packet.IsValid(packet, i) ? 0 : 1;
        }

        return junk;
    }

    private static async Task<int> CountJunkAsync(IWire wire, (int Size, int Count) shape, Task gate)
    {
        await gate;
        return await WireReading.OnThread(() =>
        {
            byte[] packet = new byte[shape.Size];
            int junk = 0;
            for (int i = 0; i < shape.Count; i++)
            {
                Assert.That(wire.Fill(packet, 0, (int)WithinExtensions.Bound.TotalMilliseconds), Is.EqualTo(packet.Length), $"packet {i}");
                junk += Packet.IsValid(packet, i) ? 0 : 1;
            }

            return junk;
        });
    }

    /// <summary>A packet that reports its number in every byte.</summary>
    private static class Packet
    {
        public static void Fill(byte[] packet, int number)
        {
            packet.AsSpan().Fill((byte)((number * 31) + 1));
            BitConverter.GetBytes(packet.Length).CopyTo(packet, 0);
            BitConverter.GetBytes(number).CopyTo(packet, 4);
        }

        public static bool IsValid(byte[] packet, int number)
        {
            byte[] expected = new byte[packet.Length];
            Fill(expected, number);
            return packet.AsSpan().SequenceEqual(expected);
        }
    }
}
