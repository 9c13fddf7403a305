using System;
using System.Buffers.Binary;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>Sends numbered packets by every way there is, and writes down each answer.</summary>
/// <param name="sender">Takes them.</param>
/// <param name="facts">Where answers go.</param>
/// <param name="producer">Whose they are.</param>
/// <param name="seed">Of the choices.</param>
/// <param name="mostBytes">The longest body.</param>
/// <param name="strangers">How many of a thousand are of a type that nobody handles.</param>
internal sealed class Senders(IPacketSender sender, Facts facts, int producer, int seed, int mostBytes = 16 << 10, int strangers = 0)
{
    public const ushort Type = 2000, Stranger = 2001;
    private const int HeadBytes = 13;

    /// <summary>Reads whose packet a body is, and its number.</summary>
    public static (int Producer, int Number) Read(ReadOnlySpan<byte> body) =>
        (BinaryPrimitives.ReadInt32BigEndian(body[5..]), BinaryPrimitives.ReadInt32BigEndian(body[9..]));

    /// <summary>Makes a packet's body.</summary>
    /// <param name="producer">Whose it is.</param>
    /// <param name="number">Its number.</param>
    /// <param name="padding">The bytes behind them.</param>
    public static byte[] Body(int producer, int number, int padding)
    {
        byte[] body = new byte[HeadBytes + padding];
        body[0] = 0xc6;   // bin 32
        BinaryPrimitives.WriteInt32BigEndian(body.AsSpan(1), body.Length - 5);
        BinaryPrimitives.WriteInt32BigEndian(body.AsSpan(5), producer);
        BinaryPrimitives.WriteInt32BigEndian(body.AsSpan(9), number);
        return body;
    }

    /// <param name="most">How many.</param>
    /// <param name="stop">Ends it early.</param>
    public async Task RunAsync(int most, CancellationToken stop)
    {
        var random = new Random(seed);
        int padding = Math.Min(mostBytes, 1 << random.Next(15));
        for (int number = 1; number <= most && !stop.IsCancellationRequested; number++)
        {
            ushort type = strangers > 0 && random.Next(1000) < strangers ? Stranger : Type;
            SendResult? result = await SendAsync(type, Body(producer, number, random.Next(padding)), random, stop);
            facts.Note($"{result?.ToString() ?? "Cancelled"} {producer} {number} {type}");
            if (random.Next(100) == 0)
            {
                await Task.Delay(random.Next(5), CancellationToken.None);
            }
        }
    }

    private async Task<SendResult?> SendAsync(ushort type, byte[] body, Random random, CancellationToken stop)
    {
        switch (random.Next(8))
        {
            case 0:
                using (var end = CancellationTokenSource.CreateLinkedTokenSource(stop))
                {
                    end.CancelAfter(random.Next(40));
                    try
                    {
                        return await sender.SendRawAsync(type, body, cancellationToken: end.Token);
                    }
                    catch (OperationCanceledException)
                    {
                        return null;
                    }
                }

            case 1:
                return sender.SendRaw(type, body, TimeSpan.FromMilliseconds(random.Next(20)));
            case 2:
                SendResult result;
                int tries = random.Next(30);
                while ((result = sender.TrySendRaw(type, body)) == SendResult.Full && tries-- > 0)
                {
                    facts.Note($"FullAgain {producer}");
                    await Task.Delay(1, CancellationToken.None);
                }

                return result;
            default:
                return sender.TrySendRaw(type, body);
        }
    }
}
