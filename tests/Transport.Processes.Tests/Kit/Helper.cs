using System;
using System.IO;
using System.Linq;
using NUnit.Framework;

namespace Transport.Processes.Tests.Kit;

/// <summary>Starts the helper program that was built beside this assembly: same configuration, either runtime.</summary>
internal static class Helper
{
    public const string Net = "net10.0", Mono = "net472";

    /// <summary>Gets the runtime of this test run.</summary>
    public static string Own => Type.GetType("Mono.Runtime") is null ? Net : Mono;

    public static string Other => Own == Net ? Mono : Net;

    public static ProcessStartOptions Start(params string[] arguments) => StartOn(Own, arguments);

    public static ProcessStartOptions StartOn(string framework, params string[] arguments)
    {
        string file = Find(framework);
        return framework == Net
            ? new ProcessStartOptions("dotnet", [file, .. arguments]) { Environment = { ["DOTNET_EnableDiagnostics"] = "0" } }
            : new ProcessStartOptions("mono", [file, .. arguments]);
    }

    private static string Find(string framework)
    {
        // .../tests/Transport.Processes.Tests/bin/Debug/net10.0 -> .../tests/Transport.ProcessHelper/bin/Debug/FRAMEWORK
        var bin = new DirectoryInfo(AppDomain.CurrentDomain.BaseDirectory.TrimEnd('/'));
        string tests = bin.Parent!.Parent!.Parent!.Parent!.FullName;
        string name = "Transport.ProcessHelper." + (framework == Net ? "dll" : "exe");
        string file = Path.Combine(tests, "Transport.ProcessHelper", "bin", bin.Parent.Name, framework, name);
        if (!File.Exists(file) && framework == Mono && Own == Net)
        {
            Assert.Ignore("No mono on this machine, so there is no helper program for it.");
        }

        Assert.That(file, Does.Exist, "build the whole solution first");
        return file;
    }
}
