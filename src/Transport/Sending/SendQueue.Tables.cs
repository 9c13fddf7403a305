using System;

namespace Transport;

/// <content>What lanes 1 to 3 have beside their queue.</content>
internal sealed partial class SendQueue
{
    /// <summary>Lets packets refer to tables of their lane if their type asks for it; before the first packet.</summary>
    public void UseTables(TableCaps caps, int maxBytes)
    {
        for (int i = 1; i < _lanes.Length; i++)
        {
            _lanes[i].UseTables(caps, maxBytes);
        }
    }

    /// <summary>Lets somebody hear of the packets of lanes 1 to 3; before the first packet.</summary>
    public void Observe(Func<Lane, ILaneObserver> observer)
    {
        for (int i = 1; i < _lanes.Length; i++)
        {
            _lanes[i].Observer = observer((Lane)i);
        }
    }
}
