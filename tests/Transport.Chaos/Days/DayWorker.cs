using System;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>A worker of a pool's day: answers, throws, dies; sends by every way; may end by itself, and may log after its work.</summary>
internal sealed class DayWorker(string folder, int seed)
{
    private readonly Random _random = new(unchecked((seed * 397) ^ Environment.ProcessId));
    private readonly Facts _facts = new(folder, FormattableString.Invariant($"w-{Environment.ProcessId}"));

    /// <param name="args">"dayworker", the folder, the seed.</param>
    public static Task<int> RunAsync(string[] args) => new DayWorker(args[1], int.Parse(args[2], CultureInfo.InvariantCulture)).RunAsync();

    private async Task<int> RunAsync()
    {
        _facts.Note($"started {Environment.ProcessId}");
        PacketRouter router = new PacketRouter()
            .On<News>(news => _facts.Note($"got {news.Number}"))
            .OnRequest<Ask, Told>(AnswerAsync);
        int code = await WorkerHost.RunAsync(WorkAsync, router);
        _facts.Note($"left {code}");
        return code;
    }

    private async Task<int> WorkAsync(Link link, CancellationToken stop)
    {
        _facts.Note($"linked {Environment.ProcessId}");
        var senders = new Senders(link, _facts, Environment.ProcessId, _random.Next(), mostBytes: 2 << 10);
        await senders.RunAsync(_random.Next(200), stop);
        if (_random.Next(10) == 0)
        {
            _facts.Note($"returns");
            return 0;   // by itself
        }

        await WorkerHost.WaitForStopAsync(link);
        if (_random.Next(3) == 0)
        {
            _ = Task.Run(async () =>
            {
                while (link.TrySendRaw(Senders.Type, Senders.Body(0, 0, 10)) != SendResult.Closed)
                {
                    _facts.Note($"late");
                    await Task.Delay(1);
                }
            });
        }

        return 0;
    }

    private async Task<Told> AnswerAsync(Ask ask, PacketContext context)
    {
        _facts.Note($"begun {ask.Id}");
        try
        {
            await Task.Delay(ask.Kind == AskKind.Hang ? Timeout.Infinite : ask.Ms, context.CancellationToken);
        }
        catch (OperationCanceledException)
        {
            _facts.Note($"cancelled {ask.Id}");
            throw;
        }

        switch (ask.Kind)
        {
            case AskKind.Throw:
                _facts.Note($"threw {ask.Id}");
                throw new InvalidOperationException(FormattableString.Invariant($"number {ask.Id}"));
            case AskKind.Die:
                _facts.Note($"dies {ask.Id}");
                Native.Leave(3);
                throw new InvalidOperationException();
            default:
                _facts.Note($"done {ask.Id}");
                return new Told(ask.Id, Environment.ProcessId);
        }
    }
}
