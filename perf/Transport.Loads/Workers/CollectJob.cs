using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using Transport.Loads.Collects;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Sends a log packet each ms, and a folder by the build harness's own sender beside them. Order: <c>alone N</c>, or
/// <c>collect</c>: for as long as that takes.</summary>
/// <remarks>Answers how many log packets were sent, how many bytes of bulk were written between one's Send and its own write (median and
/// most), and the seconds of collecting.</remarks>
internal sealed class CollectJob : IJob
{
    private readonly OutputSender _sender = new();
    private readonly ManualResetEventSlim _never = new();
    private readonly string _folder;
    private readonly Link _link;
    private readonly byte[] _body = LogPacket.MakeBody();
    private UrgentWire? _wire;

    public CollectJob(string address, string folder)
    {
        _folder = folder;
        _link = WorkerLink.Connect(address, router: _sender.AddTo(new PacketRouter()), wire: w => _wire = new UrgentWire(w, Lane.Normal));
    }

    public string Run(string[] order)
    {
        var waited = new List<long>();
        if (order[0] == "alone")
        {
            int count = int.Parse(order[1], CultureInfo.InvariantCulture);
            SendLogs(waited, () => waited.Count < count);
            return Said(waited, 0);
        }

        long start = Stopwatch.GetTimestamp();
        double seconds = 0;
        Task sending = Task.Run(() =>
        {
            _sender.Send(_link, 0, OutputFolder.Files(_folder), CancellationToken.None);
            seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        });
        SendLogs(waited, () => !sending.IsCompleted);
        sending.GetAwaiter().GetResult();
        return Said(waited, seconds);
    }

    public void Dispose()
    {
        _link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();
        _never.Dispose();
        _sender.Dispose();
    }

    private static string Said(List<long> waited, double seconds)
    {
        waited.Sort();
        return string.Create(CultureInfo.InvariantCulture,
            $"{waited.Count} {(waited.Count == 0 ? 0 : waited[waited.Count / 2])} {waited.LastOrDefault()} {seconds:f6}");
    }

    private void SendLogs(List<long> waited, Func<bool> goesOn)
    {
        while (goesOn())
        {
            _never.Wait(1);
            BinaryPrimitives.WriteInt64BigEndian(_body.AsSpan(LogPacket.TimeAt), Stopwatch.GetTimestamp());
            if (_link.TrySendRaw(LogPacket.Type, _body) != SendResult.Queued)
            {
                throw new LoadException("The link did not take a log packet beside the outputs.");
            }

            long from = _wire!.Bulk;
            waited.Add(_wire.WaitForUrgent(from));
        }
    }
}
