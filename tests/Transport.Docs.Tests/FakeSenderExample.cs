using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport;

namespace Transport.Docs.Tests.Testing;

/// <summary>Records what is sent; with <see cref="Answer"/> = Full or Closed it plays a link that takes nothing.</summary>
public sealed class SentPackets : IPacketSender
{
    public List<object?> Packets { get; } = [];

    public SendResult Answer { get; set; } = SendResult.Queued;

    public LevelRules Levels => new(PacketLevel.Trace);

    public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null)
    {
        if (Answer == SendResult.Queued)
        {
            Packets.Add(packet);
        }

        return Answer;
    }

    public ValueTask<SendResult> SendAsync<T>(
        PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default) => new(TrySend(type, packet, lane));

    public SendResult Send<T>(PacketType<T> type, T packet, TimeSpan timeout, Lane? lane = null) => TrySend(type, packet, lane);

    public SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal)
    {
        if (Answer == SendResult.Queued)
        {
            Packets.Add(body.ToArray());
        }

        return Answer;
    }

    public ValueTask<SendResult> SendRawAsync(
        ushort type, ReadOnlyMemory<byte> body, Lane lane = Lane.Normal, CancellationToken cancellationToken = default) =>
        new(TrySendRaw(type, body.Span, lane));

    public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, TimeSpan timeout, Lane lane = Lane.Normal) =>
        TrySendRaw(type, body, lane);
}

public sealed class ReporterTests
{
    private static void Report(IPacketSender sender, string file) => _ = sender.TrySend(new Compile(file));

    [Test]
    public void What_a_method_sends_is_recorded()
    {
        var sent = new SentPackets();
        Report(sent, "a.cs");
        Assert.That(sent.Packets, Is.EqualTo(new object[] { new Compile("a.cs") }));
    }
}
