namespace Transport;

/// <summary>Hears of every packet of one lane on its way out: when it is committed, and when it is written.</summary>
internal interface ILaneObserver
{
    /// <summary>A packet was admitted. Under the lane's lock, and before the send pump can see it.</summary>
    /// <param name="frames">Its frames, with those of the tables in front; valid during the call.</param>
    /// <param name="packets">How many packets they are: those of the tables count too.</param>
    void Committed(in CommittedFrames frames, int packets);

    /// <summary>Packets were written whole, in the order of their commits. On the send thread.</summary>
    void Written(int packets);
}
