using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Makes the request that a packet is.</summary>
internal sealed class RequestVisitor<TResponse>(
    IRequestSender sender, PacketType<TResponse> response, TimeSpan? timeout, Lane lane, CancellationToken cancellationToken)
    : IPacketVisitor<Task<TResponse>>
{
    public Task<TResponse> Visit<T>(PacketType<T> type, T packet) =>
        sender.RequestAsync(type, response, packet, timeout, lane, cancellationToken);
}

/// <summary>Makes the request that a packet is, and takes reports.</summary>
internal sealed class ProgressVisitor<TResponse, TProgress>(
    IRequestSender sender, PacketType<TResponse> response, PacketType<TProgress> report, IProgress<TProgress> progress, TimeSpan? timeout,
    Lane lane, CancellationToken cancellationToken) : IPacketVisitor<Task<TResponse>>
{
    public Task<TResponse> Visit<T>(PacketType<T> type, T packet) =>
        sender.RequestAsync(type, response, report, packet, progress, timeout, lane, cancellationToken);
}

/// <summary>Makes the request for a stream that a packet is.</summary>
internal sealed class StreamVisitor<TItem>(
    IStreamRequestSender sender, PacketType<TItem> item, TimeSpan? timeout, Lane lane, CancellationToken cancellationToken)
    : IPacketVisitor<IAsyncEnumerable<TItem>>
{
    public IAsyncEnumerable<TItem> Visit<T>(PacketType<T> type, T packet) =>
        sender.RequestStreamAsync(type, item, packet, timeout, lane, cancellationToken);
}
