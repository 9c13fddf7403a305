using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using BuildHarness.Collecting;
using BuildHarness.Packets;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;
using Transport.MSBuild;

namespace Transport.Loads.Collects;

/// <summary>A main node's collection, and a worker that sends a folder and log packets to it; in a process of its own, so that nothing else
/// is in its memory: <see cref="CollectMainJob"/>.</summary>
internal sealed class CollectBench : IDisposable
{
    private const string Node = "worker";
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly DelaySink _logs = new(LogPacket.TimeAt, LogPacket.MakeBody());
    private readonly BuiltProject _project = new(
        0, new ProjectEvaluated("/nowhere/Project.csproj", string.Empty, IsInner: false, string.Empty, string.Empty));
    private readonly string _place;
    private long _before;
    private readonly Collection _collection;
    private readonly TransportReceiver _receiver;
    private readonly LoadWorker _worker;

    /// <param name="place">Where the collection goes.</param>
    /// <param name="folder">What is sent.</param>
    public CollectBench(string place, string folder)
    {
        _place = place;
        _collection = Collection.Open(Target(place), workers: 1, fault => _logs.Fail(fault.Message));
        _collection.Plan([_project]);
        _receiver = new TransportReceiver(Route, _logs.Fail);
        _worker = new LoadWorker(_receiver.Secret, "collect", _receiver.Address, folder);
    }

    /// <summary>The collection's folder.</summary>
    public static string Target(string place) => Path.Combine(place, "collected");

    /// <summary>Sends log packets with nothing beside them.</summary>
    public CollectRound Alone(int count)
    {
        CollectRound round = Run($"alone {count.ToString(CultureInfo.InvariantCulture)}");
        if (_before == 0)
        {
            _before = ProcessState.PrivateBytesHeld();   // of the link and its log packets: what comes on top is the collection
        }

        return round;
    }

    /// <summary>Sends log packets beside the folder.</summary>
    public CollectRound Collect()
    {
        Forget();   // what came before, which is no more than one turn of many
        _collection.Begin(Node, _project);
        return Run("collect");
    }

    /// <summary>Gets the private memory that is held, without what is garbage, more than with log packets alone; bytes.</summary>
    public long Held() => ProcessState.PrivateBytesHeld() - _before;

    /// <summary>Publishes what came last.</summary>
    public void Publish() => _collection.PublishAsync(CancellationToken.None).GetAwaiter().GetResult();

    public void Dispose()
    {
        _worker.Dispose();
        _receiver.Dispose();
        _collection.DisposeAsync().AsTask().GetAwaiter().GetResult();
        _logs.Dispose();
    }

    private PacketRouter Route(Link link)
    {
        NodeOutputs outputs = _collection.Of(Node);
        var router = new PacketRouter().OnRaw(LogPacket.Type, p => _logs.Take(p.Body));
        outputs.AddTo(router);
        outputs.Connected(link);
        return router;
    }

    private CollectRound Run(string order)
    {
        long most = 0, came = _logs.Count;
        using var over = new ManualResetEventSlim();
        var looks = new Thread(() =>
        {
            do
            {
                most = Math.Max(most, ProcessState.PrivateBytes());
            }
            while (!over.Wait(20));
        });
        looks.Start();
        string[] said;
        try
        {
            _worker.Go(order.Split(' ').Cast<object>().ToArray());
            said = _worker.Done().Split(' ');
        }
        finally
        {
            over.Set();
            looks.Join();
        }

        double[] answer = Array.ConvertAll(said, v => double.Parse(v, CultureInfo.InvariantCulture));
        if (!SpinWait.SpinUntil(() => _logs.Count - came >= (long)answer[0], s_limit))
        {
            throw new LoadException("Log packets were lost beside a collection.");
        }

        _logs.ThrowIfFailed();
        return new CollectRound(_logs.Drain(), answer[1], answer[2], answer[3], most - _before);
    }

    private void Forget()
    {
        foreach (string staging in Directory.EnumerateDirectories(_place, ".collected.*"))
        {
            foreach (string turn in Directory.EnumerateDirectories(staging).SelectMany(Directory.EnumerateDirectories))
            {
                Directory.Delete(turn, recursive: true);
            }
        }
    }
}
