using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Tails;

/// <summary>One worker that sends numbered packets on three lanes and is killed; what it had queued stands in a file that outlives
/// it.</summary>
internal sealed class TailRun : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly string _notes;
    private readonly List<long>[] _came = [[], [], [], []];
    private readonly TaskCompletionSource<bool> _enough = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long[] _before = new long[4];
    private int _count;
    private int _killed;

    public TailRun()
    {
        _notes = Path.Combine(_folder.Path, "notes");
        File.WriteAllBytes(_notes, new byte[32]);
    }

    /// <summary>Gets the numbers that came, lane by lane.</summary>
    public IReadOnlyList<long>[] Came => _came;

    /// <summary>Gets or sets what takes the worker's lines instead of the main node's <see cref="MainRig.Lines"/>; it then says one before
    /// it connects.</summary>
    public Action<OutputLine>? Output { get; set; }

    /// <summary>Gets or sets what ends the worker; by default it is killed.</summary>
    public Action<WorkerProcess> Finish { get; set; } = worker => worker.Kill();

    /// <summary>Gets the worker, once <see cref="ToItsEnd"/> was called.</summary>
    public WorkerProcess? Worker { get; private set; }

    /// <summary>Runs the worker to its end.</summary>
    /// <param name="rig">The main node.</param>
    /// <param name="framework">The worker's runtime.</param>
    /// <param name="seed">Of what it sends.</param>
    /// <param name="maxQueued">The worker's budget.</param>
    /// <param name="killAfter">It is killed once so many packets have come.</param>
    /// <param name="untilFull">The handler of that packet does not return before the worker's sends are answered nothing but Full: then
    /// socket and queue are full when it is killed.</param>
    public async Task<WorkerExit> ToItsEnd(MainRig rig, string framework, int seed, long maxQueued, int killAfter, bool untilFull)
    {
        WorkerProcess? worker = null;
        PacketRouter router = new PacketRouter().On(Words.Type, (packet, _) =>
        {
            _came[(int)Enum.Parse(typeof(Lane), packet.Texts[0])].Add(BitConverter.ToInt64(packet.Padding, 0));
            if (++_count == killAfter)
            {
                if (!untilFull)
                {
                    _enough.TrySetResult(true);
                    return;
                }

                Assert.That(SpinWait.SpinUntil(IsFull, WithinExtensions.Bound), Is.True, "sends go on being answered Queued");
                Volatile.Write(ref _killed, 1);
                _enough.TrySetResult(true);
                Finish(worker!);
            }
        });
        WorkerStartOptions start = TestHost.StartOn(framework, "worker-tail", _notes, $"{seed}", $"{maxQueued}", "20000");
        if (Output is not null)
        {
            start = Shell.Command($"echo a line; exec {start.FileName} {string.Join(" ", start.Arguments)}");
        }

        Worker = worker = rig.Main.StartWorker(start.With(router, Output ?? rig.Lines.Take));
        await _enough.Task.Within($"{killAfter} packets").ConfigureAwait(false);
        if (Volatile.Read(ref _killed) == 0)
        {
            Finish(worker);
        }

        return await rig.End(worker).ConfigureAwait(false);
    }

    /// <summary>Asserts that each lane came without a gap and without doubles, and gives how many of those queued are missing.</summary>
    public long[] Missing(string seed)
    {
        long[] noted = Noted(), missing = new long[4];
        for (int lane = 1; lane <= 3; lane++)
        {
            Assert.That(_came[lane], Is.EqualTo(Enumerable.Range(1, _came[lane].Count).Select(n => (long)n)), $"lane {lane}, {seed}");
            missing[lane] = noted[lane] - _came[lane].Count;
            Assert.That(missing[lane], Is.GreaterThanOrEqualTo(-1),
                $"lane {lane}, {seed}: more came than was sent; one may have been queued and not noted");
        }

        return missing;
    }

    public void Dispose() => _folder.Dispose();

    /// <summary>Checks whether sends have been answered nothing but Full for a while.</summary>
    private bool IsFull()
    {
        long[] now = Noted();
        if (now.Skip(1).SequenceEqual(_before.Skip(1)))
        {
            return now[0] - _before[0] > 5_000;
        }

        _before = now;
        return false;
    }

    /// <summary>Reads the worker's notes: how often a send was answered Full, then the last packet queued of lanes 1 to 3.</summary>
    public long[] Noted()
    {
        byte[] bytes = new byte[32];
        using var file = new FileStream(_notes, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        int count = file.Read(bytes, 0, bytes.Length);
        Assert.That(count, Is.EqualTo(bytes.Length));
        return [.. Enumerable.Range(0, 4).Select(i => BitConverter.ToInt64(bytes, 8 * i))];
    }
}
