using System;
using System.Globalization;
using System.IO;
using System.IO.MemoryMappedFiles;
using System.Threading;
using System.Threading.Tasks;
using Transport.Testing.Links;

namespace Transport.TestHost.Workers;

/// <summary>A worker that sends numbered packets on three lanes until it is killed, and keeps in a mapped file what its sends have answered
/// Queued for.</summary>
internal static class TailMode
{
    /// <summary>worker-tail NOTES SEED MAX-QUEUED-BYTES LARGEST: NOTES has four numbers of 64 bits: how often a send was answered Full,
    /// then the last packet queued of lanes 1 to 3.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        int seed = int.Parse(args[2], CultureInfo.InvariantCulture), largest = int.Parse(args[4], CultureInfo.InvariantCulture);
        using MemoryMappedFile notes = MemoryMappedFile.CreateFromFile(args[1], FileMode.Open);
        using MemoryMappedViewAccessor view = notes.CreateViewAccessor();
        var options = new WorkerHostOptions { ExitWithMainNode = true };
        options.Link.MaxQueuedBytes = long.Parse(args[3], CultureInfo.InvariantCulture);
        Link link = await WorkerHost.ConnectAsync(null, options).ConfigureAwait(false);
        for (Lane lane = Lane.Urgent; lane <= Lane.Bulk; lane++)
        {
            Lane mine = lane;
            new Thread(() => Send(link, mine, new Random(seed + (int)mine), largest, view)) { IsBackground = true }.Start();
        }

        await link.Completion.ConfigureAwait(false);
        return 5;
    }

    private static void Send(Link link, Lane lane, Random random, int largest, MemoryMappedViewAccessor notes)
    {
        for (long number = 1; ; number++)
        {
            var packet = new Words(
                [lane.ToString(), "Target.Compile of project " + random.Next(40)],
                [[new("File", "src/File" + random.Next(20) + ".cs"), new("Level", "High")]],
                new byte[8 + random.Next(random.Next(8) == 0 ? largest : 200)]);
            BitConverter.GetBytes(number).CopyTo(packet.Padding, 0);
            SendResult result;
            while ((result = link.TrySend(Words.Type, packet, lane)) == SendResult.Full)
            {
                notes.Write(0, notes.ReadInt64(0) + 1);
                Thread.Yield();
            }

            if (result == SendResult.Closed)
            {
                return;
            }

            notes.Write(8 * (int)lane, number);
        }
    }
}
