using System;
using System.Threading;
using Transport.Files;

namespace Transport.TestHost.Trees;

/// <summary>Says each time that it has removed a hundred entries, so that the process can be killed in the middle.</summary>
internal sealed class SayingCalls : UnixCalls
{
    private const int Each = 100;
    private int _removed;

    public override int Remove(int directory, string name, bool isDirectory)
    {
        int removed = Interlocked.Increment(ref _removed);
        if (removed % Each == 0)
        {
            Console.WriteLine(removed);
        }

        return base.Remove(directory, name, isDirectory);
    }
}
