using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using Transport.Files;

namespace Transport.TestHost.Trees;

/// <summary>
/// Publishes trees with <see cref="FileSync.All"/> while this process has fewer and fewer file descriptors left, and prints for
/// each how many times it synced.
/// </summary>
internal static class CrowdedSync
{
    private const int Limit = 256, MostLeft = 10;

    public static void Run(string folder)
    {
        Publish(folder + "/first", left: null);   // what the runtime loads on the way needs descriptors too
        Lower();
        for (int left = MostLeft; left >= 0; left--)
        {
            string target = FormattableString.Invariant($"{folder}/t{left}");
            Console.WriteLine(FormattableString.Invariant($"{left} left: {Publish(target, left)}"));
        }
    }

    private static string Publish(string target, int? left)
    {
        var calls = new CountingCalls();
        var options = new FileOutputOptions { Sync = FileSync.All, FileSystem = new UnixFileSystem(calls) };
        using var publication = Publication.Begin(target, options);
        Directory.CreateDirectory(publication.ContentPath + "/d");
        File.WriteAllText(publication.ContentPath + "/d/f", "f");
        File.WriteAllText(publication.ContentPath + "/d/g", "g");
        Stack<int> taken = left is { } few ? FewDescriptors.Leave(calls, few) : [];
        try
        {
            publication.Publish();
            return FormattableString.Invariant($"published, {calls.Syncs} synced");
        }
        catch (TransportException e) when (!publication.IsPublished)
        {
            return "not published, " + e.Message;
        }
        finally
        {
            foreach (int fd in taken)
            {
                _ = calls.Close(fd);
            }
        }
    }

    private static void Lower()
    {
        const int OpenFiles = 7;   // RLIMIT_NOFILE
        if (SetLimit(OpenFiles, [Limit, Limit]) != 0)
        {
            throw new InvalidOperationException("The limit cannot be set.");
        }
    }

    [DllImport("libc", EntryPoint = "setrlimit")]
    private static extern int SetLimit(int resource, ulong[] softAndHard);

    private sealed class CountingCalls : UnixCalls
    {
        public int Syncs { get; private set; }

        protected override int SyncOnce(int fd)
        {
            Syncs++;
            return base.SyncOnce(fd);
        }
    }
}
