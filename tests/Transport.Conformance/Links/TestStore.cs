using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Conformance.Links;

/// <summary>Keeps packets in memory; says that they are safe when the test lets it.</summary>
internal sealed class TestStore : IPacketStore
{
    private readonly TaskCompletionSource<bool> _open = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Gets or sets a value indicating whether each packet makes the link wait.</summary>
    public bool IsSlow { get; set; }

    /// <summary>Gets or sets what taking a packet throws.</summary>
    public Exception? Refusal { get; set; }

    /// <summary>Gets type and body of what was taken; read it when the link has ended.</summary>
    public List<(int Type, byte[] Body)> Kept { get; } = [];

    /// <summary>Gets how often it was asked for safety.</summary>
    public int Asked { get; private set; }

    public void Release() => _open.TrySetResult(true);

    public void Fail(Exception cause) => _open.TrySetException(cause);

    public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken) => AppendAsync(packet.Lease());

    private async ValueTask AppendAsync(PacketLease packet)
    {
        if (IsSlow)
        {
            await Task.Yield();
        }

        if (Refusal is not null)
        {
            throw Refusal;
        }

        Kept.Add((packet.Packet.Type, packet.Packet.ToArray()));
    }

    public async ValueTask FlushAsync(CancellationToken cancellationToken)
    {
        Asked++;
        await _open.Task.ConfigureAwait(false);
    }
}
