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

    /// <summary>Keeps what is queued where it outlives this process, until it is written; before the first packet.</summary>
    public void UseTail(TailMap map)
    {
        for (int i = 1; i < _lanes.Length; i++)
        {
            _lanes[i].Tail = map.Lane((Lane)i);
        }
    }
}
