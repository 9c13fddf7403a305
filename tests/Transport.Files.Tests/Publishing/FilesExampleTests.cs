using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files.Tests.Kit;
using Transport.Testing;

namespace Transport.Files.Tests.Publishing;

/// <summary>What docs/guide/files.md shows is compiled, and does what it says.</summary>
internal sealed class FilesExampleTests
{
    [Test]
    public void The_page_shows_the_example()
    {
        string[] code = ExamplePage.Text("FilesExample.cs").Split('\n');
        int first = Array.FindIndex(code, l => l.Contains("RunAsync", StringComparison.Ordinal)) + 2;
        string shown = string.Join("\n", code.Skip(first).Take(code.Length - first - 3).Select(l => l.Length > 8 ? l[8..] : string.Empty));
        Assert.That(shown, Does.StartWith("try").And.EndsWith("return 0;"));
        Assert.That(ExamplePage.Text("../../../docs/guide/files.md"), Does.Contain(shown + "\n```"));
    }

    [Test]
    public async Task The_example_works()
    {
        using var root = new TestRoot();
        string before = Environment.CurrentDirectory;
        Environment.CurrentDirectory = root[string.Empty];
        try
        {
            Assert.That(await FilesExample.RunAsync(), Is.EqualTo(1), "there is no folder out");
            Directory.CreateDirectory("out");
            File.WriteAllText("Tool.dll", "MZ");
            File.WriteAllText("README.md", "read me");
            for (int time = 0; time < 2; time++)
            {
                Assert.That(await FilesExample.RunAsync(), Is.Zero);
                Assert.That(root.Tree("out/package"), Is.EqualTo(new[] { "README.md", "current", "lib", "lib/Tool.dll", "tool.sh" }));
            }

            Assert.That(new FileInfo("out/package/current").LinkTarget, Is.EqualTo("lib"));
        }
        finally
        {
            Environment.CurrentDirectory = before;
        }
    }
}
