using System;
using System.IO;
using NUnit.Framework;

namespace Transport.Files.Tests.Processes;

/// <summary>Starts the helper program that was built beside this assembly, on the runtime of this test run.</summary>
internal static class HelperProgram
{
    public static ProcessStartOptions Start(params string[] arguments)
    {
        // .../tests/Transport.Files.Tests/bin/Debug/net10.0 -> .../tests/Transport.Files.Helper/bin/Debug/FRAMEWORK
        var bin = new DirectoryInfo(AppDomain.CurrentDomain.BaseDirectory.TrimEnd('/'));
        bool isMono = Type.GetType("Mono.Runtime") is not null;
        string name = "Transport.Files.Helper." + (isMono ? "exe" : "dll");
        string tests = bin.Parent!.Parent!.Parent!.Parent!.FullName;
        string file = Path.Combine(tests, "Transport.Files.Helper", "bin", bin.Parent.Name, bin.Name, name);
        Assert.That(file, Does.Exist, "build the helper first");
        return isMono
            ? new ProcessStartOptions("mono", [file, .. arguments])
            : new ProcessStartOptions("dotnet", [file, .. arguments])
            {
                Environment = { ["DOTNET_EnableDiagnostics"] = "0", ["DOTNET_TieredPGO"] = "0" },
            };
    }
}
