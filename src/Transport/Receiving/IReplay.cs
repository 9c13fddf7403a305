namespace Transport;

/// <summary>What goes on if the stream of an exited peer has ended early: packets that the peer had not written any more.</summary>
internal interface IReplay
{
    /// <summary>Gives the pump what is left, by <see cref="ReceivePump.Replay"/>. Once, on the receive thread; may wait for the peer's
    /// end.</summary>
    void Run(ReceivePump pump);
}
