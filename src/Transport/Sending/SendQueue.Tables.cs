namespace Transport.Sending;

/// <content>The lanes' tables.</content>
internal sealed partial class SendQueue
{
    /// <summary>Lets log and build packets refer to tables of their lane; before the first packet.</summary>
    public void UseTables(bool strings, bool maps, int maxBytes)
    {
        for (int i = 1; i < _lanes.Length; i++)
        {
            _lanes[i].UseTables(strings, maps, maxBytes);
        }
    }
}
