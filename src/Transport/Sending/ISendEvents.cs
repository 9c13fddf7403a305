using System.IO;

namespace Transport;

/// <summary>What a link hears of its send pump. On the send thread, one call at a time.</summary>
internal interface ISendEvents
{
    /// <summary>A segment is about to be written: what belongs behind its packets is written there.</summary>
    /// <param name="segment">Of lane 0 to 3.</param>
    /// <returns>How many bytes stand behind it now.</returns>
    int OnWriting(Segment segment);

    /// <summary>A segment was written, counted and returned.</summary>
    /// <param name="lane">The lane of all its packets.</param>
    /// <param name="packets">How many packets ended in it, packets of the tables included.</param>
    void OnWritten(Lane lane, int packets);

    /// <summary>The wire takes no more. Once.</summary>
    /// <param name="broken">Why.</param>
    void OnWriteFailed(IOException broken);
}
