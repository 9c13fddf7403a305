using System.IO;
using NUnit.Framework;

namespace Transport.Tests.Packets;

/// <summary>Finds files that stand beside this project's source: tests run somewhere below it.</summary>
internal static class SourceTree
{
    public static string Find(string relative)
    {
        for (DirectoryInfo? folder = new(TestContext.CurrentContext.TestDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Transport.Tests.csproj")))
            {
                return Path.Combine(folder.FullName, relative);
            }
        }

        throw new DirectoryNotFoundException(
            $"No Transport.Tests.csproj above {TestContext.CurrentContext.TestDirectory}: run the tests inside the source tree.");
    }
}
