using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>Streams and requests with progress that end, fail, are late, are left, are cancelled, or whose link ends under them.</summary>
internal sealed class StreamDay(int seed, string folder) : IDay
{
    private readonly Random _random = new(seed);
    private readonly Facts _asker = new(folder, "asker");
    private readonly Facts _server = new(folder, "server");

    public async Task RunAsync()
    {
        using Facts asker = _asker, server = _server;
        int window = (64 << 10) << _random.Next(3), most = _random.Next(3) == 0 ? 4 : 64;
        LinkOptions Options(string node) => new()
        {
            Node = node,
            MaxQueuedBytes = 256 << 10,
            StreamWindowBytes = window,
            MaxRequests = most,
            CloseTimeout = TimeSpan.FromSeconds(1),
            Heartbeat = { PingInterval = TimeSpan.FromMilliseconds(200), SilenceTimeout = TimeSpan.FromSeconds(3) },
        };
        await using LinkListener listener = LinkListener.Start(WireKind.UnixSocket, Options("main"));
        var router = new PacketRouter()
            .OnRequestStream<Walk, Found>((walk, context) => WalkAsync(walk, context.CancellationToken))
            .OnRequest<Work, Worked, Done>(WorkAsync);
        (Link Near, Link Far)[] pairs = await LinkPairs.ConnectAsync(1, listener, Options, _ => new PacketRouter(), _ => router);
        (Link link, Link far) = pairs[0];
        int asks = _random.Next(3, 40), end = _random.Next(8), pause = _random.Next(20);
        asker.Note($"most {most}");
        var asked = new List<Task>();
        using var places = new SemaphoreSlim(most);
        for (int id = 1; id <= asks; id++)
        {
            var own = new Random(_random.Next());
            int number = id;
            asked.Add(Task.Run(async () =>
            {
                await places.WaitAsync();   // no more than the other end takes
                try
                {
                    await (own.Next(3) == 0 ? AskWorkAsync(link, number, own) : AskWalkAsync(link, number, own));
                }
                finally
                {
                    // What was left or cancelled is over at the other end a moment later.
                    await Task.Delay(20);
                    _ = places.Release();
                }
            }));
            await Task.Delay(_random.Next(pause + 1));
        }

        await (end < 5 ? Task.WhenAll(asked) : Task.Delay(_random.Next(200)));
        if (end < 5)
        {
            _asker.Note($"begin after 3000");
            Worked last = await link.RequestAsync(new Work(0, 1, 1, -1));
            _asker.Note($"end after");
            _asker.Note($"after {last.Id}");
        }

        _asker.Note($"ends {end}");
        switch (end)
        {
            case 5:
                link.Abort("in the middle");
                break;
            case 6:
                far.Abort("in the middle");
                break;
        }

        _asker.Note($"begin close 4500");
        LinkEnd[] over = await Task.WhenAll(link.CloseAsync(), far.CloseAsync());
        _asker.Note($"end close");
        await Task.WhenAll(asked);
        _asker.Note($"over {over[0].Fault} {over[1].Fault} {over[0].Reason} {over[1].Reason}");
        for (int i = 0; i < 200 && Volatile.Read(ref _open) > 0; i++)
        {
            await Task.Delay(10);
        }

        _asker.Note($"open {Volatile.Read(ref _open)}");
    }

    private int _open;   // handlers that have not returned

    private async IAsyncEnumerable<Found> WalkAsync(Walk walk, [EnumeratorCancellation] CancellationToken token)
    {
        _ = Interlocked.Increment(ref _open);
        _server.Note($"begun {walk.Id}");
        try
        {
            for (int i = 1; i <= walk.Items; i++)
            {
                if (i == walk.FailsAt)
                {
                    _server.Note($"threw {walk.Id} {i}");
                    throw new InvalidOperationException(FormattableString.Invariant($"number {walk.Id}"));
                }

                if (walk.PauseMs > 0)
                {
                    await Task.Delay(walk.PauseMs, token);
                }

                _server.Note($"item {walk.Id} {i}");
                yield return new Found(walk.Id, i, new byte[walk.Bytes]);
            }

            _server.Note($"all {walk.Id}");
        }
        finally
        {
            _server.Note($"left {walk.Id}");
            _ = Interlocked.Decrement(ref _open);
        }
    }

    private async Task<Worked> WorkAsync(Work work, IProgress<Done> progress, PacketContext context)
    {
        _ = Interlocked.Increment(ref _open);
        _server.Note($"begun {work.Id}");
        try
        {
            for (int i = 1; i <= work.Steps; i++)
            {
                await Task.Delay(work.PauseMs, context.CancellationToken);
                if (i == work.FailsAt)
                {
                    _server.Note($"threw {work.Id} {i}");
                    throw new InvalidOperationException(FormattableString.Invariant($"number {work.Id}"));
                }

                _server.Note($"item {work.Id} {i}");
                progress.Report(new Done(work.Id, i));
            }

            _server.Note($"all {work.Id}");
            return new Worked(work.Id);
        }
        finally
        {
            _server.Note($"left {work.Id}");
            _ = Interlocked.Decrement(ref _open);
        }
    }

    private async Task AskWalkAsync(Link link, int id, Random random)
    {
        int items = random.Next(4) == 0 ? random.Next(2000) : random.Next(30);
        var walk = new Walk(
            id, items, items < 100 && random.Next(3) == 0 ? random.Next(1, 5) : 0, random.Next(4) == 0 ? random.Next(20_000) : random.Next(50),
            random.Next(6) == 0 ? random.Next(1, items + 2) : -1);
        int timeout = random.Next(3) == 0 ? random.Next(1, 300) : -1, cancel = random.Next(6) == 0 ? random.Next(200) : -1;
        int leaves = random.Next(6) == 0 ? random.Next(items + 1) : -1, slow = items < 300 && random.Next(4) == 0 ? random.Next(1, 5) : 0;
        _asker.Note($"asks {id} walk {items} {walk.FailsAt} {timeout} {cancel} {leaves}");
        await AskAsync(id, timeout, cancel, async token =>
        {
            int got = 0;
            await foreach (Found found in link.RequestStreamAsync(walk, timeout < 0 ? null : TimeSpan.FromMilliseconds(timeout), cancellationToken: token))
            {
                _asker.Note($"got {found.Id} {found.Number}");
                if (++got == leaves)
                {
                    return "left";
                }

                if (slow > 0)
                {
                    await Task.Delay(slow, CancellationToken.None);
                }
            }

            return "whole";
        });
    }

    private async Task AskWorkAsync(Link link, int id, Random random)
    {
        int steps = random.Next(12);
        var work = new Work(id, steps, random.Next(10), random.Next(6) == 0 ? random.Next(1, steps + 2) : -1);
        int timeout = random.Next(3) == 0 ? random.Next(1, 200) : -1, cancel = random.Next(6) == 0 ? random.Next(100) : -1;
        _asker.Note($"asks {id} work {steps} {work.FailsAt} {timeout} {cancel} -1");
        await AskAsync(id, timeout, cancel, async token =>
        {
            Worked worked = await link.RequestAsync(
                work, new Heard(_asker), timeout < 0 ? null : TimeSpan.FromMilliseconds(timeout), cancellationToken: token);
            return worked.Id == id ? "whole" : "wrong";
        });
    }

    private async Task AskAsync(int id, int timeout, int cancel, Func<CancellationToken, Task<string>> ask)
    {
        using var end = new CancellationTokenSource();
        if (cancel >= 0)
        {
            end.CancelAfter(cancel);
        }

        string name = FormattableString.Invariant($"ask-{id}");
        _asker.Note($"begin {name} 50000");
        long begun = Stopwatch.GetTimestamp();
        string how;
        try
        {
            how = await ask(end.Token) + " -";
        }
        catch (TransportException e)
        {
            how = $"{e.Fault} {e.Message}";
        }
        catch (OperationCanceledException)
        {
            how = "Cancelled -";
        }

        string[] words = how.Split(' ', 2);
        _asker.Note($"ended {id} {words[0]} {Stopwatch.GetElapsedTime(begun).TotalMilliseconds:0} {words[1]}");
        _asker.Note($"end {name}");
    }

    private sealed class Heard(Facts facts) : IProgress<Done>
    {
        public void Report(Done value) => facts.Note($"got {value.Id} {value.Step}");
    }
}
