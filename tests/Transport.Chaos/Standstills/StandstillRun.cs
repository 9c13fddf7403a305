using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Transport.Chaos.Ledgers;
using Transport.Chaos.Packets;
using Transport.Chaos.Soaking;

namespace Transport.Chaos.Standstills;

/// <summary>A main node that stops reading while its worker goes on sending, once for each thing that a sender can do about it.</summary>
internal sealed class StandstillRun(StandstillOptions options)
{
    /// <summary>Start, warm-up and drain of a run, on a busy machine.</summary>
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(90);

    /// <returns>The exit code: 0 if everything held.</returns>
    public async Task<int> RunAsync()
    {
        Console.WriteLine(string.Format(CultureInfo.InvariantCulture,
            "standstill: {0:N0} events of 256 B a second, {1} s without reading, queue of 8 MiB", options.Rate, options.Seconds));
        var broken = new List<string>();
        foreach (Manner manner in Enum.GetValues<Manner>())
        {
            Standstill end;
            try
            {
                end = await RunAsync(manner);
            }
            catch (TimeoutException hang)
            {
                broken.Add($"{manner}: {hang.Message}");
                continue;
            }

            end.Write();
            broken.AddRange(end.Broken());
        }

        broken.ForEach(promise => Console.WriteLine("BROKEN: " + promise));
        Console.WriteLine(broken.Count == 0 ? "standstill: every promise held" : $"standstill: {broken.Count} promises broken");
        return broken.Count == 0 ? 0 : 1;
    }

    private async Task<Standstill> RunAsync(Manner manner)
    {
        using var release = new ManualResetEventSlim();
        var over = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        StandstillAnswer? answer = null;
        var book = new ReceivedBook(0, 0);
        PacketRouter router = new PacketRouter()
            .OnRaw(Parcel.Type.Id, book.Take)
            .OnRaw(Hold.Type.Id, _ =>
            {
                release.Reset();
                release.Wait(Bound);
            });
        TimeSpan bound = Bound + TimeSpan.FromSeconds(options.Seconds);
        var before = ProcessMemory.Now();
        await using MainNode main = MainNode.Start(new MainNodeOptions());
        WorkerStartOptions start = OwnProgram.Start(["stander", manner.ToString(), options.Seconds.ToString(CultureInfo.InvariantCulture),
            options.Rate.ToString(CultureInfo.InvariantCulture)]);
        (start.Router, start.Output, start.Node) = (router, Hear, "worker");
        WorkerProcess worker = main.StartWorker(start);
        try
        {
            await over.Task.WaitAsync(bound);
            ProcessMemory more = ProcessMemory.Now() - before;
            release.Set();
            WorkerExit end = await worker.WaitForExitAsync().WaitAsync(bound);
            return new Standstill(
                manner, answer ?? throw new TimeoutException($"the worker ended {end.Cause} without an answer"), more, book, end);
        }
        finally
        {
            release.Set();
            worker.Kill();
        }

        void Hear(OutputLine line)
        {
            answer ??= StandstillAnswer.Parse(line.Text);
            if (string.Equals(line.Text, StandstillAnswer.FirstOver, StringComparison.Ordinal))
            {
                release.Set();
            }
            else if (string.Equals(line.Text, StandstillAnswer.Over, StringComparison.Ordinal) || line.IsError)
            {
                over.TrySetResult();
            }
        }
    }
}
