using System;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.Testing.Links;

namespace Transport.TestHost.Workers;

/// <summary>spill FOLDER FIRST COUNT: sends numbers, some 20,000 a second, to a main node that comes and goes; it finds tickets in the
/// folder, one file each. Says <c>spilled</c> once it has spilled 3,000.</summary>
internal static class SpillMode
{
    private const int Batch = 20, Enough = 3000;

    public static async Task<int> RunAsync(string[] args)
    {
        string folder = args[1];
        int first = int.Parse(args[2], CultureInfo.InvariantCulture), count = int.Parse(args[3], CultureInfo.InvariantCulture);
        var options = new SpillOptions
        {
            MaxMemoryBytes = 256 << 10,
            Link = new LinkOptions { MaxQueuedBytes = 256 << 10 },
            MinBackoff = TimeSpan.FromMilliseconds(2),
            MaxBackoff = TimeSpan.FromMilliseconds(50),
        };
        SpillingSender sender = SpillingSender.Open(Path.Combine(folder, "spill"), (_, _) => Task.FromResult(TakeTicket(folder)), options);
        Console.WriteLine($"found {sender.Status.Found}");
        Console.Out.Flush();
        Send(sender, first, count);
        SpillStatus done = await sender.CloseAsync(TimeSpan.FromSeconds(90)).ConfigureAwait(false);
        Console.WriteLine(done);
        return done.IsDelivered ? 0 : 4;
    }

    private static void Send(SpillingSender sender, int first, int count)
    {
        using var never = new ManualResetEventSlim();
        bool reported = false;
        for (int sent = 0; sent < count;)
        {
            SendResult result = sender.TrySend(NumberPacket.Type, first + sent);
            sent += result == SendResult.Queued ? 1 : 0;
            if (result != SendResult.Queued || sent % Batch == 0)
            {
                never.Wait(1);
                if (!reported && sender.Status.Spilled >= Enough)
                {
                    reported = true;
                    Console.WriteLine("spilled");
                    Console.Out.Flush();
                }
            }
        }
    }

    private static SpillTarget? TakeTicket(string folder)
    {
        string taken = Path.Combine(folder, "taken-" + Guid.NewGuid().ToString("N"));
        try
        {
            File.Move(Path.Combine(folder, "ticket"), taken);
        }
        catch (FileNotFoundException)
        {
            return null;
        }

        string[] lines = File.ReadAllLines(taken);
        return new SpillTarget(WireEndpoint.Parse(lines[0]), LinkSecret.Parse(lines[1]));
    }
}
