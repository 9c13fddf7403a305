using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;
using Transport.Files;

namespace Transport.TestHost.Trees;

/// <summary>Publishes a tree in a process that has few descriptors, and says in a line why not if it fails.</summary>
internal static class FewDescriptors
{
    /// <summary>Publishes. The exit code is 3 if that failed with an error of the library.</summary>
    /// <param name="target">The target.</param>
    /// <param name="left">How many descriptors are left, after a first tree that loads what the process needs; null: what the limit
    /// leaves.</param>
    public static async Task<int> RunAsync(string target, string? left)
    {
        if (left is not null)
        {
            await TreeMode.ReplaceAsync(target + ".first", 1, byPath: false).ConfigureAwait(false);
            _ = Leave(new UnixCalls(), int.Parse(left, CultureInfo.InvariantCulture));
        }

        try
        {
            await TreeMode.ReplaceAsync(target, 1, byPath: false).ConfigureAwait(false);
            return 0;
        }
        catch (TransportException e)
        {
            Console.WriteLine("failed: " + e.Message);
            return 3;
        }
    }

    /// <summary>Takes all descriptors of this process but a few.</summary>
    /// <param name="calls">The system calls.</param>
    /// <param name="left">How many it leaves.</param>
    /// <returns>Those that it took.</returns>
    public static Stack<int> Leave(UnixCalls calls, int left)
    {
        var taken = new Stack<int>();
        for (int fd; (fd = calls.Open(LinuxFlags.Here, "/dev/null", LinuxFlags.ReadOnly)) >= 0;)
        {
            taken.Push(fd);
        }

        for (int i = 0; i < left; i++)
        {
            _ = calls.Close(taken.Pop());
        }

        return taken;
    }
}
