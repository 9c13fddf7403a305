using System;

namespace Transport.Hosting;

/// <summary>One handler of the program, to be added to the router of each link.</summary>
/// <param name="addTo">Adds it.</param>
internal sealed class HandlerRegistration(Action<IServiceProvider, PacketRouter> addTo)
{
    public void AddTo(IServiceProvider services, PacketRouter router) => addTo(services, router);
}
