using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;

namespace Transport.Hosting.Tests;

/// <summary>Log events before there is a link.</summary>
internal sealed class PendingLogSinkTests
{
    [Test]
    public void Events_before_the_link_are_sent_in_order_when_it_is_there_and_later_ones_at_once()
    {
        var sink = new PendingLogSink();
        Assert.That(sink.Levels.Least, Is.EqualTo(PacketLevel.Trace), "nobody knows yet what is wanted");
        _ = sink.Send(Event("1"), Lane.Normal, TimeSpan.Zero);
        _ = sink.Send(Event("debug", LogLevel.Debug), Lane.Normal, TimeSpan.Zero);
        _ = sink.Send(Event("2"), Lane.Normal, TimeSpan.Zero);
        var link = new FakeLink();
        sink.Attach(link);
        _ = sink.Send(Event("3"), Lane.Normal, TimeSpan.Zero);
        Assert.That(link.Sent, Is.EqualTo(new[] { "1", "2", "3" }), "what the main node does not want is left out");
        Assert.That(sink.Levels.Least, Is.EqualTo(PacketLevel.Information));
    }

    [Test]
    public void What_is_beyond_the_bound_is_dropped_and_reported()
    {
        var sink = new PendingLogSink();
        SendResult[] results = [.. Enumerable.Range(0, PendingLogSink.MostKept + 2).Select(i => sink.Send(
            Event($"{i}"), Lane.Normal, TimeSpan.Zero))];
        Assert.That(results.Count(r => r == SendResult.Queued), Is.EqualTo(PendingLogSink.MostKept));
        Assert.That(results.TakeLast(2), Is.All.EqualTo(SendResult.Full));
        var link = new FakeLink();
        sink.Attach(link);
        Assert.That(link.Sent, Has.Count.EqualTo(PendingLogSink.MostKept + 1));
        Assert.That(link.Sent[^1], Is.EqualTo("2 log events before the link to the main node were dropped: at most 1000 are kept."));
    }

    [Test]
    public async Task Events_of_many_threads_are_each_sent_once_while_the_link_comes()
    {
        var sink = new PendingLogSink();
        var link = new FakeLink();
        using var begin = new Barrier(5);
        Task[] threads = [.. Enumerable.Range(0, 4).Select(thread => Task.Factory.StartNew(
            () =>
            {
                begin.SignalAndWait();
                for (int i = 0; i < 200; i++)
                {
                    Assert.That(sink.Send(Event($"{thread} {i}"), Lane.Normal, TimeSpan.Zero), Is.EqualTo(SendResult.Queued));
                }
            },
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default))];
        begin.SignalAndWait();
        sink.Attach(link);
        await Task.WhenAll(threads).WaitAsync(TimeSpan.FromSeconds(30));
        Assert.That(link.Sent, Has.Count.EqualTo(800).And.Unique);
        for (int thread = 0; thread < 4; thread++)
        {
            Assert.That(link.Sent.Where(m => m.StartsWith($"{thread} ", StringComparison.Ordinal)),
                Is.EqualTo(Enumerable.Range(0, 200).Select(i => $"{thread} {i}")), "each thread's in its order");
        }
    }

    private static LogEvent Event(string message, LogLevel level = LogLevel.Information) =>
        new() { Time = DateTimeOffset.UnixEpoch, Level = level, Category = "c", Message = message };

    /// <summary>A link that takes every log event.</summary>
    private sealed class FakeLink : IPacketSender
    {
        private readonly object _gate = new();

        public List<string> Sent { get; } = [];

        public PacketLevel Level => Levels.Least;

        public LevelRules Levels { get; } = new(PacketLevel.Information);

        public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null)
        {
            lock (_gate)
            {
                Sent.Add(((LogEvent)(object)packet!).Message);
            }

            return SendResult.Queued;
        }

        public ValueTask<SendResult> SendAsync<T>(
            PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default) => new(TrySend(type, packet));

        public SendResult Send<T>(PacketType<T> type, T packet, TimeSpan timeout, Lane? lane = null) => TrySend(type, packet);

        public SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal) => throw new NotSupportedException();

        public ValueTask<SendResult> SendRawAsync(
            ushort type, ReadOnlyMemory<byte> body, Lane lane = Lane.Normal, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, TimeSpan timeout, Lane lane = Lane.Normal) =>
            throw new NotSupportedException();
    }
}
