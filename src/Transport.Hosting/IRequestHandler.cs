using System.Threading.Tasks;

namespace Transport.Hosting;

/// <summary>Answers requests of one type; made by dependency injection (<c>services.AddRequestHandler</c>).</summary>
/// <typeparam name="TRequest">The request.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IRequestHandler<in TRequest, TResponse>
{
    /// <summary>Answers a request. Runs beside the thread that reads the link, so it may await requests of its own.</summary>
    /// <param name="request">The request.</param>
    /// <param name="context">Where it came from; its token is cancelled if the caller cancels or gives up, or the link ends.</param>
    /// <returns>The response. An exception becomes a failure at the caller, with its type and message.</returns>
    Task<TResponse> HandleAsync(TRequest request, PacketContext context);
}
