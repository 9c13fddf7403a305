using System;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>The worker's end of one column: how it hands over an event.</summary>
internal interface IEventSender : IDisposable
{
    /// <summary>Hands over an event; on one thread. May wait if the column's design waits.</summary>
    void Send(LoadEvent e);

    /// <summary>Nothing more comes for now: whatever would wait for more must go out.</summary>
    void Flush();
}

/// <summary>The main process's end of one column. Gives its events to a sink from the moment it is made.</summary>
internal interface IEventReceiver : IDisposable
{
    /// <summary>Gets where the worker must connect to.</summary>
    string Address { get; }

    /// <summary>Gets what the worker must show, or an empty string.</summary>
    string Secret { get; }
}
