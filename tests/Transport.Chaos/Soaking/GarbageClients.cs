using System;
using System.Buffers;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Chaos.Soaking;

/// <summary>Strangers that find the endpoint: noise, wrong secrets, half a handshake, silence. None of them may get in, or be in anybody's
/// way.</summary>
internal sealed class GarbageClients(WireEndpoint endpoint, Tally tally, Watchdog watchdog, int seed)
{
    private const int Welcome = 2;
    private readonly Random _dice = new(seed);

    /// <summary>Goes on until asked to stop.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        for (int number = 1; !stop.IsCancellationRequested; number++)
        {
            await ComeAsync(number);
            await Task.Delay(_dice.Next(5, 120), CancellationToken.None);
        }
    }

    private static byte[] Frame(int lane, int type, long length, ReadOnlySpan<byte> body) =>
    [
        0x93, (byte)lane, 0xcd, (byte)(type >> 8), (byte)type, 0xc6, (byte)(length >> 24), (byte)(length >> 16), (byte)(length >> 8),
            (byte)length, .. body,
    ];

    private async Task ComeAsync(int number)
    {
        using IWire wire = await watchdog.Within(
            WireFactory.ConnectAsync(endpoint, TimeSpan.FromSeconds(20), []), $"the connection of garbage {number}");
        (string kind, byte[] bytes) = Choose();
        tally.Event("garbage: " + kind);
        try
        {
            wire.Write(bytes, 0, bytes.Length);
            byte[] answer = new byte[4096];
            Task<int> reading = Task.Run(() => wire.Read(answer, 0, answer.Length, -1));
            await Task.WhenAny(reading, Task.Delay(_dice.Next(1, 300)));
            if (reading.IsCompletedSuccessfully && await reading is > 4 and var got && answer[0] == 0x93 && answer[4] == Welcome)
            {
                tally.Break($"a garbage connection ({kind}) got Welcome: {Convert.ToHexString(answer, 0, got)}");
            }

            wire.Abort();
            await watchdog.Within(
                reading.ContinueWith(static t => t.Exception is null, TaskScheduler.Default), $"the end of garbage {number}");
        }
        catch (IOException)
        {
            // Closed while it was still writing.
        }
    }

    private (string Kind, byte[] Bytes) Choose()
    {
        byte[] noise = new byte[_dice.Next(1, 5_000)];
        _dice.NextBytes(noise);
        byte[] hello = Hello();
        return _dice.Next(6) switch
        {
            0 => ("noise", noise),
            1 => ("another protocol", Encoding.ASCII.GetBytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")),
            2 => ("a frame said to be huge", Frame(0, 1, uint.MaxValue, noise)),
            3 => ("half a Hello", hello[.._dice.Next(1, hello.Length)]),
            4 => ("a Hello with a wrong secret", hello),
            _ => ("packets before any Hello", Frame(2, 1024, 1, [0xc0])),
        };
    }

    private byte[] Hello()
    {
        byte[] secret = new byte[32];
        _dice.NextBytes(secret);
        var body = new ArrayBufferWriter<byte>();
        var writer = new PacketWriter(body);
        writer.WriteMapHeader(5);
        writer.WriteString("protocol");
        writer.WriteString("transport");
        writer.WriteString("min");
        writer.WriteInt(1);
        writer.WriteString("max");
        writer.WriteInt(1);
        writer.WriteString("secret");
        writer.WriteBin(secret);
        writer.WriteString("node");
        writer.WriteString("stranger");
        writer.Flush();
        return Frame(0, 1, body.WrittenCount, body.WrittenSpan);
    }
}
