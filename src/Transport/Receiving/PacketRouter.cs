using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Packets;

namespace Transport.Receiving;

/// <summary>Which handler takes which packet. Filled first, then given to <c>Link.Start</c>, which freezes it; one router may serve one link only.</summary>
public sealed class PacketRouter
{
    public PacketRouter On<T>(PacketType<T> type, Action<T> handler) => throw new NotSupportedException();

    public PacketRouter On<T>(PacketType<T> type, Func<T, ValueTask> handler) => throw new NotSupportedException();

    public PacketRouter OnRaw(int type, Action<RawPacket> handler) => throw new NotSupportedException();

    public PacketRouter OnRaw(int type, Func<RawPacket, ValueTask> handler) => throw new NotSupportedException();

    public PacketRouter OnUnknown(Action<RawPacket> handler) => throw new NotSupportedException();

    public PacketRouter OnUnknown(Func<RawPacket, ValueTask> handler) => throw new NotSupportedException();

    public PacketRouter OnRequest<TRequest, TAnswer>(PacketType<TRequest> request, PacketType<TAnswer> answer, Func<TRequest, CancellationToken, Task<TAnswer>> handler) => throw new NotSupportedException();
}
