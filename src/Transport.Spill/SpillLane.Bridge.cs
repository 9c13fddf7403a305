using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport.Spill;

/// <content>
/// The way back from the journal to the link. What was spilled a moment ago is not committed yet, so a sender that never pauses would never be caught up with: as soon as everything
/// committed has been sent, what is sent next waits in memory, up to an eighth of the budget, until the rest is committed and sent too.
/// </content>
internal sealed partial class SpillLane
{
    private readonly Queue<SavedPacket> _bridge = new();
    private readonly long _mostBridge;
    private long _bridgeBytes;
    private bool _isBridging;

    /// <summary>Where a lane stands whose committed packets have all been sent.</summary>
    private enum SpillStand
    {
        /// <summary>Something that was spilled is not committed yet.</summary>
        Behind,

        /// <summary>Everything that was spilled is sent; something in memory is not.</summary>
        Bridged,

        /// <summary>Everything is sent.</summary>
        Direct,
    }

    /// <summary>Keeps the packet in the scratch in memory, where there is room. Under the gate.</summary>
    private bool TryBridge(ushort type, int length)
    {
        if (_bridgeBytes + length + SpillPacket.Overhead > _mostBridge)
        {
            _isBridging = false;
            return false;
        }

        var number = new SpillNumber(_base, _journal.Epoch, _index + 1);
        int at = SpillPacket.PutHead(_scratch.Array, SpillPacket.MostHead, length, _head, _journal.Id, number, type);
        byte[] packet = _scratch.Written.Slice(at).ToArray();
        _bridge.Enqueue(new SavedPacket(number, packet));
        Volatile.Write(ref _bridgeBytes, _bridgeBytes + packet.Length);
        (_last, _index) = (number, _index + 1);
        _directCount++;
        return true;
    }

    /// <summary>Takes over what waits in memory; the pump only.</summary>
    private void CrossBridge()
    {
        if (Volatile.Read(ref _bridgeBytes) > 0)
        {
            lock (_gate)
            {
                MoveBridge();
            }
        }
    }

    /// <summary>The link has ended. Under the gate, when the pump has.</summary>
    private void Unbridge()
    {
        _isBridging = false;
        MoveBridge();
    }

    private void MoveBridge()
    {
        while (_bridge.Count > 0)
        {
            _saved.Enqueue(_bridge.Dequeue());
        }

        _bridgeBytes = 0;
    }
}
