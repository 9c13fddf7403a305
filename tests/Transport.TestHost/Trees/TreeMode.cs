using System;
using System.Globalization;
using System.Threading.Tasks;
using Transport.Files;
using Transport.Testing;

namespace Transport.TestHost.Trees;

/// <summary><c>tree crowded|few|stop|remove|replace|replace-by-path TARGET …</c>: the parts of tests that need a process of their own: one is
/// killed, two have few descriptors.</summary>
internal static class TreeMode
{
    public static async Task<int> RunAsync(string[] arguments)
    {
        switch (arguments[1])
        {
            case "crowded":
                CrowdedSync.Run(arguments[2]);
                break;
            case "few":
                return await FewDescriptors.RunAsync(arguments[2], arguments.Length > 3 ? arguments[3] : null).ConfigureAwait(false);
            case "stop":
                var stopping = new StoppingCalls(int.Parse(arguments[3], CultureInfo.InvariantCulture));
                await stopping.ReplaceAsync(arguments[2]).ConfigureAwait(false);
                break;
            case "remove":
                var removals = new StoppingRemovals(int.Parse(arguments[3], CultureInfo.InvariantCulture));
                await FileOutput.RemoveTreeAsync(
                    arguments[2], new FileOutputOptions { FileSystem = new UnixFileSystem(removals) }).ConfigureAwait(false);
                break;
            default:
                bool byPath = arguments[1] == "replace-by-path";
                await ReplaceAsync(arguments[2], int.Parse(arguments[3], CultureInfo.InvariantCulture), byPath).ConfigureAwait(false);
                break;
        }

        return 0;
    }

    /// <summary>
    /// Publishes one version of a tree after the other at the same target, and prints each step, until it is killed or the last
    /// version stands.
    /// </summary>
    public static async Task ReplaceAsync(string target, int last, bool byPath)
    {
        for (int version = 1; version <= last; version++)
        {
            Say(version, "begin");
            IFileSystem? files = byPath ? new PortableFileSystem(new PortableCalls()) : null;
            var options = new FileOutputOptions
            {
                Existing = ExistingTarget.Replace, FileSystem = files, RetryFor = TimeSpan.FromMilliseconds(100),
            };
            FileOutput output = FileOutput.Publish(target, options);
            await using (output.ConfigureAwait(false))
            {
                VersionedTree.Write(output, version, Console.WriteLine);
                Say(version, "complete");
                await output.CompleteAsync().ConfigureAwait(false);
                Say(version, "published");
            }
        }
    }

    private static void Say(int version, string what) => Console.WriteLine(FormattableString.Invariant($"{version} {what}"));
}
