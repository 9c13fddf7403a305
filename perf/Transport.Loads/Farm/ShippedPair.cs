using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Journal;
using Transport.Nats;

namespace Transport.Loads.Farm;

/// <summary>A journal, its shipper, and a receiver, in this process; the server between them is another.</summary>
internal sealed class ShippedPair : IAsyncDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(120);

    private readonly NatsConnection _out, _in;
    private readonly PacketJournal _journal;
    private readonly JournalShipper _shipper;
    private readonly JournalReceiver _receiver;
    private readonly JournalNode _node = new("n1");
    private readonly byte[] _body = new byte[256];

    public ShippedPair(FarmServer server, string folder, string name, bool compresses)
    {
        (_out, _in) = (server.Connect(), server.Connect());
        new Random(1).NextBytes(_body);
        _journal = PacketJournal.Open(Path.Combine(folder, name + "-source"));
        _shipper = JournalShipper.Start(_out, _journal, new ShipperOptions
        {
            Stream = { Create = true, Name = "TRANSPORT" + name, Subject = "transport." + name }, Compresses = compresses,
        });
        _receiver = JournalReceiver.Start(_in, Path.Combine(folder, name + "-received"), new ReceiverOptions
        {
            Stream = { Create = true, Name = "TRANSPORT" + name, Subject = "transport." + name },
        });
    }

    /// <summary>Gets up to where the receiver has it on its disk.</summary>
    private long Received => _receiver.Status.Journals.FirstOrDefault()?.Position ?? 0;

    /// <summary>Appends packets as fast as the journal takes them, and waits until the receiver has them.</summary>
    public async Task RunAsync(int packets)
    {
        for (int i = 0; i < packets; i++)
        {
            while (_journal.TryAppend(_node, 1024, _body, out _) != SendResult.Queued)
            {
                await _journal.CommitAsync(_journal.Appended).ConfigureAwait(false);
            }
        }

        await WaitAsync(_journal.Appended).ConfigureAwait(false);
    }

    /// <summary>Appends packets at a rate; gives how long some of them took to the receiver's disk, in ms, sorted.</summary>
    public async Task<double[]> TrickleAsync(int perSecond, TimeSpan time)
    {
        var open = new Queue<(long Position, long At)>();
        List<double> took = [];
        var clock = Stopwatch.StartNew();
        for (int sent = 0; clock.Elapsed < time || open.Count > 0;)
        {
            while (clock.Elapsed < time && sent < clock.Elapsed.TotalSeconds * perSecond)
            {
                bool isTaken = _journal.TryAppend(_node, 1024, _body, out long position) == SendResult.Queued;
                if (sent++ % 10 == 0 && isTaken)
                {
                    open.Enqueue((position, Stopwatch.GetTimestamp()));
                }
            }

            for (long received = Received; open.TryPeek(out (long Position, long At) one) && one.Position <= received; open.Dequeue())
            {
                took.Add(Stopwatch.GetElapsedTime(one.At).TotalMilliseconds);
            }

            await Task.Delay(1).ConfigureAwait(false);
            Check(clock);
        }

        took.Sort();
        return [.. took];
    }

    public async ValueTask DisposeAsync()
    {
        await _shipper.DisposeAsync().ConfigureAwait(false);
        await _receiver.DisposeAsync().ConfigureAwait(false);
        await _journal.DisposeAsync().ConfigureAwait(false);
        await _out.DisposeAsync().ConfigureAwait(false);
        await _in.DisposeAsync().ConfigureAwait(false);
    }

    private async Task WaitAsync(long position)
    {
        var clock = Stopwatch.StartNew();
        while (Received < position)
        {
            await Task.Delay(1).ConfigureAwait(false);
            Check(clock);
        }
    }

    private void Check(Stopwatch clock)
    {
        if (clock.Elapsed > s_limit || _receiver.Status.Problem is not null)
        {
            throw new LoadException($"Not all was received: {_receiver.Status.Problem ?? _shipper.Status.Problem ?? "it takes too long"}.");
        }
    }
}
