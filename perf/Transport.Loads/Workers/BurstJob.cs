using System;
using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Threading;

namespace Transport.Loads.Workers;

/// <summary>Sends packets of 252 bytes, each with the time in it, at a rate. Order: how many, how many a second.</summary>
internal sealed class BurstJob(Link link) : IJob
{
    /// <summary>Where the time stands in a packet: behind the head of a MessagePack byte string.</summary>
    public const int TimeAt = 2;

    private const int Size = 252;

    /// <summary>Makes a packet: behind the time stands the same in all of them.</summary>
    /// <param name="size">Its bytes, at most 257: one byte string of MessagePack.</param>
    public static byte[] MakeBody(int size = Size)
    {
        var body = new byte[size];
        new Random(20_260_101).NextBytes(body);
        (body[0], body[1]) = (0xc4, (byte)(size - 2));
        return body;
    }

    public string Run(string[] order)
    {
        int count = int.Parse(order[0], CultureInfo.InvariantCulture);
        double gap = Stopwatch.Frequency / double.Parse(order[1], CultureInfo.InvariantCulture);
        byte[] body = MakeBody();
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++)
        {
            long due = start + (long)(i * gap);
            while (Stopwatch.GetTimestamp() < due)
            {
                Thread.SpinWait(10);
            }

            BinaryPrimitives.WriteInt64BigEndian(body.AsSpan(TimeAt), Stopwatch.GetTimestamp());
            BodiesJob.Send(link, body, Lane.Normal);
        }

        return string.Empty;
    }

    public void Dispose() => link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();
}
