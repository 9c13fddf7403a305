using System;
using System.Threading.Tasks;
using Transport.Loads.Events;

namespace Transport.Rivals.Peers;

/// <summary>One way to carry packets from worker processes to a main process, used as its own documentation shows.</summary>
internal interface IPeer
{
    /// <summary>Gets its word on the command line and in tables.</summary>
    string Name { get; }

    /// <summary>Gets how it is used here, in a few words.</summary>
    string Shape { get; }

    /// <summary>Gets why it cannot run here; null if it can.</summary>
    string? Missing => null;

    /// <summary>Gets a value indicating whether the receiver is notified when a sender is gone.</summary>
    bool NoticesLoss => true;

    /// <summary>Makes the receiving end, which takes any number of senders.</summary>
    IPeerReceiver Listen(PeerSink sink);

    /// <summary>Makes a sending end.</summary>
    /// <param name="address">What the receiver gave.</param>
    Task<IPeerSender> ConnectAsync(string address);
}

/// <summary>The main process's end.</summary>
internal interface IPeerReceiver : IDisposable
{
    /// <summary>Gets what sender number n is given: an address, a space, and a secret or a dash.</summary>
    string AddressFor(int sender);
}

/// <summary>A worker's end. One thread at a time.</summary>
internal interface IPeerSender : IDisposable
{
    /// <summary>Hands over an event; completes when the caller may go on.</summary>
    ValueTask SendAsync(LoadEvent e);

    /// <summary>Hands over bytes.</summary>
    ValueTask SendBodyAsync(byte[] body);

    /// <summary>Hands over an event in the way that waits least.</summary>
    /// <returns>False if it was not taken.</returns>
    async ValueTask<bool> OfferAsync(LoadEvent e)
    {
        await SendAsync(e).ConfigureAwait(false);
        return true;
    }

    /// <summary>Nothing more comes for now.</summary>
    ValueTask FlushAsync() => default;

    /// <summary>Asks and awaits the answer: 64 bytes each way.</summary>
    Task PingAsync();
}
