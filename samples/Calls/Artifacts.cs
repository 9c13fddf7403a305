using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Calls;

/// <summary>The service itself. Calls of several workers come at once.</summary>
internal sealed class Artifacts : IArtifacts
{
    private readonly ConcurrentDictionary<string, byte[]> _files = new();

    public Task StoreAsync(string name, byte[] content, CancellationToken cancellationToken = default)
    {
        _files[name] = content;
        return Task.CompletedTask;
    }

    public Task<int> CountAsync() => Task.FromResult(_files.Count);

    public async IAsyncEnumerable<string> NamesAsync(
        string prefix, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        foreach (string name in _files.Keys.Where(name => name.StartsWith(prefix, System.StringComparison.Ordinal)).Order())
        {
            await Task.Yield();
            yield return name;
        }
    }
}
