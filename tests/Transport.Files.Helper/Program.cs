using System;
using System.Globalization;
using System.Threading.Tasks;

namespace Transport.Files.Helper;

/// <summary>Publishes one version of a tree after the other at the same target, and tells each step, until it is killed or the last version stands.</summary>
internal static class Program
{
    private static async Task<int> Main(string[] arguments)
    {
        string target = arguments[0];
        int last = int.Parse(arguments[1], CultureInfo.InvariantCulture);
        for (int version = 1; version <= last; version++)
        {
            Say(version, "begin");
            var options = new FileOutputOptions { Existing = ExistingTarget.Replace };
            FileOutput output = FileOutput.Publish(target, options);
            await using (output.ConfigureAwait(false))
            {
                VersionedTree.Write(output, version, Console.WriteLine);
                Say(version, "complete");
                await output.CompleteAsync().ConfigureAwait(false);
                Say(version, "published");
            }
        }

        return 0;
    }

    private static void Say(int version, string what) => Console.WriteLine(FormattableString.Invariant($"{version} {what}"));
}
