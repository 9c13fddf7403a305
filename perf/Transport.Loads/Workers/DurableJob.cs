using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using Transport.Loads.Measuring;

namespace Transport.Loads.Workers;

/// <summary>Sends so many packets, waits until the main node has them on its disk, and so on. Order: how long, in ms.</summary>
internal sealed class DurableJob(Link link) : IJob
{
    /// <summary>The type of the packets.</summary>
    public const ushort Type = 1024;

    /// <summary>The packets between two waits.</summary>
    public const int Window = 64;

    /// <summary>Bytes of a packet.</summary>
    public const int Size = 256;

    private readonly byte[] _body = BurstJob.MakeBody(Size);

    public string Run(string[] order)
    {
        long until = Stopwatch.GetTimestamp() + (long)(double.Parse(order[0], CultureInfo.InvariantCulture) / 1e3 * Stopwatch.Frequency);
        List<long> waits = [];
        for (long from = Stopwatch.GetTimestamp(), now; from < until; from = now)
        {
            for (int i = 0; i < Window; i++)
            {
                if (link.TrySendRaw(Type, _body) != SendResult.Queued)
                {
                    throw new LoadException("The link did not take a packet.");
                }
            }

            if (!link.WaitForAcknowledgedAsync().GetAwaiter().GetResult())
            {
                throw new LoadException("The link has ended.");
            }

            now = Stopwatch.GetTimestamp();
            waits.Add(now - from);
        }

        return string.Create(CultureInfo.InvariantCulture, $"{waits.Count * (long)Window} {Distribution.Of([.. waits])}");
    }

    public void Dispose() => link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();
}
