using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Testing.Links;

/// <summary>A sender of packets without a link: keeps what is sent, answers what it is reported. Safe from any thread.</summary>
internal sealed class FakeSender : IPacketSender
{
    private readonly List<(int Type, byte[] Body, Lane Lane)> _sent = [];

    public PacketLevel Level => Levels.Least;

    public LevelRules Levels { get; set; } = new(PacketLevel.Trace);

    public SendResult Answer { get; set; } = SendResult.Queued;

    /// <summary>Gets what was sent, as bytes.</summary>
    public IReadOnlyList<(int Type, byte[] Body, Lane Lane)> Sent
    {
        get
        {
            lock (_sent)
            {
                return [.. _sent];
            }
        }
    }

    public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null)
    {
        var body = new ArrayWriter();
        type.Formatter.Write(body, packet);
        return TrySendRaw(type.Id, body.Written, lane ?? type.Lane);
    }

    public ValueTask<SendResult> SendAsync<T>(
        PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default) => new(TrySend(type, packet, lane));

    public SendResult Send<T>(PacketType<T> type, T packet, TimeSpan timeout, Lane? lane = null) => TrySend(type, packet, lane);

    public SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal)
    {
        lock (_sent)
        {
            if (Answer == SendResult.Queued)
            {
                _sent.Add((type, body.ToArray(), lane));
            }

            return Answer;
        }
    }

    public ValueTask<SendResult> SendRawAsync(
        ushort type, ReadOnlyMemory<byte> body, Lane lane = Lane.Normal, CancellationToken cancellationToken = default) =>
        new(TrySendRaw(type, body.Span, lane));

    public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, TimeSpan timeout, Lane lane = Lane.Normal) =>
        TrySendRaw(type, body, lane);
}
