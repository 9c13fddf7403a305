using System;
using System.Threading.Tasks;

namespace Transport;

/// <content>Packets that are kept before they count (<see cref="PacketRouter.UseStore"/>).</content>
internal sealed partial class ReceivePump
{
    private readonly AckGate? _gate;
    private volatile bool _keeping;

    /// <summary>Gets how many packets are handled, and safe where they are kept.</summary>
    public long Safe => _gate is null ? Handled : _gate.Safe;

    /// <summary>Gets a value indicating whether the keeper has not taken the packet at hand yet.</summary>
    public bool IsKeeping => _keeping;

    /// <summary>Lets the peer be told that so many packets are handled, once they are safe. Safe from any thread.</summary>
    public void Acknowledge(long handled)
    {
        if (_gate is null)
        {
            _sink.OnAckDue(handled);
        }
        else
        {
            _gate.Ask(handled);
        }
    }

    /// <summary>Waits until what is handled is safe.</summary>
    /// <returns>Whether it is; at once where nothing is kept.</returns>
    public Task<bool> SettleAsync() => _gate is null ? Task.FromResult(true) : _gate.SettleAsync(Handled);

    private ValueTask Keep(RawPacket packet, PacketHandler? handler)
    {
        ValueTask keeping;
        try
        {
            keeping = _router.Keeper!.AppendAsync(packet);
        }
        catch (Exception e)
        {
            throw NotKept(packet.Type, e);
        }

        return keeping.IsCompletedSuccessfully ? Handle(packet, handler) : AppendAsync(keeping, packet, handler);
    }

    private async ValueTask AppendAsync(ValueTask keeping, RawPacket packet, PacketHandler? handler)
    {
        _keeping = true;
        try
        {
            await keeping.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw NotKept(packet.Type, e);
        }
        finally
        {
            _keeping = false;
        }

        await Handle(packet, handler).ConfigureAwait(false);
    }

    private TransportException NotKept(ushort type, Exception e) => new(
        TransportFault.HandlerFailed, $"Packet {_router.NameOf(type)} could not be kept (PacketRouter.Keep), {ExceptionText.Brief(e)}", e);
}
