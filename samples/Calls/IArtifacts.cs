using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Transport;

namespace Calls;

/// <summary>What the main node does for its workers. The generator writes ArtifactsClient, which calls it over a link, and
/// OnArtifacts, which answers.</summary>
[Service(1100)]
internal interface IArtifacts
{
    Task StoreAsync(string name, byte[] content, CancellationToken cancellationToken = default);

    Task<int> CountAsync();

    IAsyncEnumerable<string> NamesAsync(string prefix, CancellationToken cancellationToken = default);
}
