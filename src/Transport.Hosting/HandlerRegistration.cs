using System;
using Microsoft.Extensions.DependencyInjection;

namespace Transport.Hosting;

/// <summary>One handler of the program, to be added to the router of each link.</summary>
/// <param name="addTo">Adds it.</param>
internal sealed class HandlerRegistration(Action<IServiceProvider, PacketRouter> addTo)
{
    /// <summary>Adds all handlers of the program.</summary>
    /// <returns>The router.</returns>
    public static PacketRouter AddAll(IServiceProvider services, PacketRouter router)
    {
        foreach (HandlerRegistration handler in services.GetServices<HandlerRegistration>())
        {
            handler.AddTo(services, router);
        }

        return router;
    }

    private void AddTo(IServiceProvider services, PacketRouter router) => addTo(services, router);
}
