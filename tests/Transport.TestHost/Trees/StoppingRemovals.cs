using System;
using System.Threading;
using Transport.Files;

namespace Transport.TestHost.Trees;

/// <summary>Stops forever before one of the calls that remove, so that the process is killed there.</summary>
/// <param name="at">Before which call.</param>
internal sealed class StoppingRemovals(int at) : UnixCalls
{
    private int _calls;

    public override int Remove(int directory, string name, bool isDirectory)
    {
        if (Interlocked.Increment(ref _calls) == at)
        {
            Console.WriteLine("stopped before removing " + name);
        }

        if (Volatile.Read(ref _calls) >= at)
        {
            new ManualResetEventSlim().Wait();   // each thread of a removal by several
        }

        return base.Remove(directory, name, isDirectory);
    }
}
