using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Files;
using Transport.Testing;

namespace Transport.TestHost.Trees;

/// <summary>
/// Replaces a tree by paths, and stops forever before one of the calls that rename or remove, so that it is killed there.
/// </summary>
/// <param name="at">Before which call.</param>
internal sealed class StoppingCalls(int at) : PortableCalls
{
    private int _calls;

    /// <summary>Publishes version 2 in place of what is there, and prints "over" if no call was left to stop at.</summary>
    public async Task ReplaceAsync(string target)
    {
        var options = new FileOutputOptions { Existing = ExistingTarget.Replace, FileSystem = new PortableFileSystem(this) };
        FileOutput output = FileOutput.Publish(target, options);
        await using (output.ConfigureAwait(false))
        {
            VersionedTree.Write(output, 2, _ => { });
            await output.CompleteAsync().ConfigureAwait(false);
        }

        Console.WriteLine("over");
    }

    public override void Move(string from, string to)
    {
        Stop("move");
        base.Move(from, to);
    }

    public override void DeleteTree(string path)
    {
        Stop("delete");
        base.DeleteTree(path);
    }

    private void Stop(string call)
    {
        if (_calls++ == at)
        {
            Console.WriteLine("stopped before " + call);
            new ManualResetEventSlim().Wait();
        }
    }
}
