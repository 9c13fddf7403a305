using System;
using System.IO;
using NUnit.Framework;

namespace Transport.Journal.Tests.Processes;

/// <summary>The programs that are built beside this assembly: same configuration, either runtime.</summary>
internal static class HelperProgram
{
    public const string Net = "net10.0", Mono = "net472";

    /// <summary>Gets the runtime of this test run.</summary>
    public static string Own => Type.GetType("Mono.Runtime") is null ? Net : Mono;

    public static string Other => Own == Net ? Mono : Net;

    public static ProcessStartOptions Start(string framework, params string[] arguments)
    {
        string file = Find("Transport.Journal.Helper", framework);
        return framework == Net
            ? new ProcessStartOptions("dotnet", [file, .. arguments])
            {
                Environment = { ["DOTNET_EnableDiagnostics"] = "0", ["DOTNET_TieredPGO"] = "0" },
            }
            : new ProcessStartOptions("mono", [file, .. arguments]);
    }

    /// <summary>The file of a program: .../tests/THIS/bin/Debug/net10.0 -> .../tests/PROGRAM/bin/Debug/FRAMEWORK.</summary>
    public static string Find(string program, string framework)
    {
        var bin = new DirectoryInfo(AppDomain.CurrentDomain.BaseDirectory.TrimEnd('/'));
        string file = Path.Combine(bin.Parent!.Parent!.Parent!.Parent!.FullName, program, "bin", bin.Parent.Name, framework, program
            + (framework == Net ? ".dll" : ".exe"));
        if (!File.Exists(file) && framework == Mono && Own == Net)
        {
            Assert.Ignore("No mono on this machine, so there is no helper program for it.");
        }

        Assert.That(file, Does.Exist, "build the whole solution first");
        return file;
    }
}
