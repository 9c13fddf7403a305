using System.IO;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Processes.Tests.Workers;

/// <summary>A worker's program is found by its name; eng/try-packages.sh builds and publishes one there.</summary>
internal sealed class WorkerProgramsTests
{
    [Test]
    public void A_program_beside_this_one_is_found_and_one_that_is_missing_named()
    {
        string folder = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        string file = RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? "Compiler.exe" : "Compiler";
        string expected = Path.Combine(folder, "workers", "Compiler", file);
        Assert.That(() => WorkerPrograms.Find(folder, "Compiler"), Throws.InstanceOf<TransportException>()
            .With.Message.EqualTo($"No worker program {expected}. Reference its project with TransportWorker=\"true\", or start it by its "
                + "own path.")
            .And.Property("Fault").EqualTo(TransportFault.StartFailed));
        Directory.CreateDirectory(Path.GetDirectoryName(expected)!);
        try
        {
            File.WriteAllText(expected, string.Empty);
            Assert.That(WorkerPrograms.Find(folder, "Compiler"), Is.EqualTo(expected));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [TestCase("")]
    [TestCase("../Compiler")]
    [TestCase("a/b")]
    public void A_name_with_a_directory_is_refused(string name) =>
        Assert.That(() => WorkerStartOptions.ForProject(name), Throws.ArgumentException);
}
