using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Transport;

namespace Transport.NativeTrial;

/// <summary>What the worker calls at its main node.</summary>
[Service(2000)]
internal interface ITrial
{
    /// <summary>One answer.</summary>
    Task<int> DoubleAsync(int number);

    /// <summary>A stream of the numbers from 0 on.</summary>
    IAsyncEnumerable<int> CountAsync(int numbers, CancellationToken cancellationToken = default);
}

/// <summary>Answers.</summary>
internal sealed class Trial : ITrial
{
    /// <inheritdoc/>
    public Task<int> DoubleAsync(int number) => Task.FromResult(2 * number);

    /// <inheritdoc/>
    public async IAsyncEnumerable<int> CountAsync(
        int numbers, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (int i = 0; i < numbers; i++)
        {
            await Task.Yield();
            cancellationToken.ThrowIfCancellationRequested();
            yield return i;
        }
    }
}
