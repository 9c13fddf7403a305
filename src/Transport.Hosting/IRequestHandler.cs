using System.Threading;
using System.Threading.Tasks;

namespace Transport.Hosting;

/// <summary>Answers requests of one type; made by dependency injection (<c>services.AddRequestHandler</c>).</summary>
/// <typeparam name="TQuestion">The question.</typeparam>
/// <typeparam name="TAnswer">The answer.</typeparam>
public interface IRequestHandler<in TQuestion, TAnswer>
{
    /// <summary>Answers a question. Runs beside the thread that reads the link, so it may await requests of its own.</summary>
    /// <param name="question">The question.</param>
    /// <param name="context">Where it came from.</param>
    /// <param name="cancellationToken">Cancelled if the asker cancels or gives up, or the link ends.</param>
    /// <returns>The answer. An exception becomes a failure at the asker, with its type and message.</returns>
    Task<TAnswer> HandleAsync(TQuestion question, PacketContext context, CancellationToken cancellationToken);
}
