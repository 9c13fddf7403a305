using System.IO;

namespace Transport;

/// <summary>Where what happens to a link is reported. From any thread, if nothing else is said.</summary>
internal interface ILinkEvents
{
    /// <summary>Takes an event, and runs what follows from it.</summary>
    /// <param name="linkEvent">What happened.</param>
    /// <param name="cause">The words for it, if it decides why the link ends; null: those of the state.</param>
    /// <returns>Whether it changed anything.</returns>
    bool Report(LinkEvent linkEvent, LinkCause? cause = null);

    /// <summary>Notes what the peer's Goodbye said and takes it as an event.</summary>
    void TakeGoodbye(string reason, LinkCause? fault);

    /// <summary>The stream has ended; on the receive thread.</summary>
    /// <returns>Whether the peer's tail is to be replayed.</returns>
    bool OnEndOfStream(bool inside, IOException? broken);
}
