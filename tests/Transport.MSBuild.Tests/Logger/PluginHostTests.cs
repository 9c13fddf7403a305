using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Loader;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.MSBuild.Tests.Logger;

/// <summary>MSBuild loads a logger into a context of its own, which looks for each assembly in the logger's folder. That happens whenever
/// code needs one for the first time, also between a call of the C library and the reading of its errno.</summary>
internal sealed class PluginHostTests
{
    [Test]
    [Platform(Exclude = "Win")]
    public void A_host_that_looks_for_assemblies_itself_does_not_change_what_a_failed_call_says()
    {
        using var folder = new TemporaryFolder();
        var host = new PluginHost(Path.GetDirectoryName(typeof(Link).Assembly.Location)!);
        Type path = host.LoadFromAssemblyName(new AssemblyName("Transport")).GetType("Transport.FilePath", throwOnError: true)!;

        object? error = path.GetMethod("TryCreateDirectory")!.Invoke(null, [folder.Path, 0x1C0]);

        Assert.That(error!.ToString(), Is.EqualTo("EEXIST"));
        Assert.That(host.Asked, Is.GreaterThan(1), "the host was asked for further assemblies");
    }

    private sealed class PluginHost(string folder) : AssemblyLoadContext("plugin")
    {
        public int Asked { get; private set; }

        protected override Assembly? Load(AssemblyName assemblyName)
        {
            Asked++;
            string path = Path.Combine(folder, assemblyName.Name + ".dll");
            bool isOurs = assemblyName.Name!.StartsWith("Transport", StringComparison.Ordinal) && File.Exists(path);
            Marshal.SetLastPInvokeError(2);   // what looking for a file that is not there leaves behind
            return isOurs ? LoadFromAssemblyPath(path) : null;
        }
    }
}
