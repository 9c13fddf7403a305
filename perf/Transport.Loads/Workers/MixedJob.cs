using System;
using System.Globalization;
using System.Linq;
using System.Threading;
using Transport.Loads.Events;

namespace Transport.Loads.Workers;

/// <summary>Eight threads send packets of a build's sizes at once, each numbered within its thread. Order: how many of each
/// thread.</summary>
internal sealed class MixedJob(Link link) : IJob
{
    /// <summary>How many threads send.</summary>
    public const int Producers = 8;

    private readonly uint[] _next = new uint[Producers];
    private readonly byte[][] _bodies = [.. Enumerable.Range(0, Producers).Select(_ => MixedBody.Make())];

    public string Run(string[] order)
    {
        int count = int.Parse(order[0], CultureInfo.InvariantCulture);
        var threads = new Thread[Producers];
        for (int i = 0; i < Producers; i++)
        {
            int producer = i;
            threads[i] = new Thread(() => Produce(producer, count));
            threads[i].Start();
        }

        foreach (Thread thread in threads)
        {
            thread.Join();
        }

        return string.Empty;
    }

    public void Dispose() => link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();

    private void Produce(int producer, int count)
    {
        var random = new Random(producer + 1);
        byte[] largest = _bodies[producer];
        for (int i = 0; i < count; i++)
        {
            int size = MixedSizes.Draw(random);
            MixedBody.Stamp(largest, size, producer, _next[producer]++);
            BodiesJob.Send(link, largest.AsMemory(0, size), Lane.Normal);
        }
    }
}
