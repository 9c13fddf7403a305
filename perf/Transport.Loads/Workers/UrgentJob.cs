using System;
using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using Transport.Loads.Events;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Floods the bulk lane with packets of 5 MB and sends an urgent packet, with the time in it, every 3 ms. Order: how many urgent
/// ones.</summary>
/// <remarks>Answers how many bytes of bulk were written between an urgent <c>Send</c> and its own write, at the median and at most, counted
/// in the wire.</remarks>
internal sealed class UrgentJob : IJob
{
    /// <summary>The packet type of urgent packets.</summary>
    public const int Type = 1027;

    /// <summary>The packets of the flood: 5 MB each.</summary>
    public const string Flood = "5242880";

    /// <summary>Where the time stands in an urgent packet.</summary>
    public const int TimeAt = 1;

    private readonly BodySet _flood = BodySet.Make(Flood);
    private readonly ManualResetEventSlim _never = new();
    private readonly Link _link;
    private UrgentWire? _wire;
    private uint _flooded;

    public UrgentJob(string address) => _link = WorkerLink.Connect(address, wire: w => _wire = new UrgentWire(w));

    /// <summary>Makes an urgent packet: one MessagePack uint 64.</summary>
    public static byte[] MakeBody() => [0xcf, 0, 0, 0, 0, 0, 0, 0, 0];

    public string Run(string[] order)
    {
        int count = int.Parse(order[0], CultureInfo.InvariantCulture);
        var waited = new long[count];
        bool flooding = true;
        var flood = new Thread(() =>
        {
            while (Volatile.Read(ref flooding))
            {
                BodiesJob.Send(_link, _flood.Stamped(_flooded++), Lane.Bulk);
            }
        });
        flood.Start();
        byte[] body = MakeBody();
        for (int i = 0; i < count; i++)
        {
            _never.Wait(3);
            BinaryPrimitives.WriteInt64BigEndian(body.AsSpan(TimeAt), Stopwatch.GetTimestamp());
            if (_link.TrySendRaw(Type, body, Lane.Urgent) != SendResult.Queued)
            {
                throw new LoadException("The link did not take an urgent packet beside the flood.");
            }

            long from = _wire!.Bulk;
            waited[i] = _wire.WaitForUrgent(from);
        }

        Volatile.Write(ref flooding, false);
        flood.Join();
        Array.Sort(waited);
        return string.Create(CultureInfo.InvariantCulture, $"{waited[count / 2]} {waited.Max()}");
    }

    public void Dispose()
    {
        _link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();
        _never.Dispose();
    }
}
