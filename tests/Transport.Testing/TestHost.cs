using System;
using System.IO;
using NUnit.Framework;

namespace Transport.Testing;

/// <summary>The program Transport.TestHost, built beside the tests: same configuration, either runtime.</summary>
public static class TestHost
{
    /// <summary>The framework of its half for .NET, and of the one for Mono.</summary>
    public const string Net = "net10.0", Mono = "net472";

    private const string Name = "Transport.TestHost";

    /// <summary>Gets the framework of this test run.</summary>
    public static string Own => Type.GetType("Mono.Runtime") is null ? Net : Mono;

    /// <summary>Gets the other one.</summary>
    public static string Other => Own == Net ? Mono : Net;

    /// <summary>Returns how it is started on the runtime of this test run.</summary>
    /// <param name="arguments">Its arguments; the first says what it does.</param>
    public static WorkerStartOptions Start(params string[] arguments) => StartOn(Own, arguments);

    /// <summary>Returns how it is started on a runtime.</summary>
    /// <param name="framework"><see cref="Net"/> or <see cref="Mono"/>.</param>
    /// <param name="arguments">Its arguments; the first says what it does.</param>
    public static WorkerStartOptions StartOn(string framework, params string[] arguments)
    {
        string file = Find(framework);
        return framework == Net
            ? new WorkerStartOptions("dotnet", [file, .. arguments]) { Environment = { ["DOTNET_EnableDiagnostics"] = "0" } }
            : new WorkerStartOptions("mono", [file, .. arguments]);
    }

    /// <summary>Returns how a program is started that may have so many descriptors; by a shell, which becomes it.</summary>
    /// <param name="limit">How many.</param>
    /// <param name="program">How it is started otherwise. Its environment is left to the caller.</param>
    public static WorkerStartOptions WithDescriptors(int limit, WorkerStartOptions program) => new(
        "/bin/sh", ["-c", FormattableString.Invariant($"ulimit -n {limit}; exec \"$@\""), "sh", program.FileName, .. program.Arguments]);

    /// <summary>Returns its file. A test that needs Mono's on .NET is skipped if there is none.</summary>
    /// <param name="framework"><see cref="Net"/> or <see cref="Mono"/>.</param>
    public static string Find(string framework)
    {
        // .../tests/SOME.Tests/bin/Release/net10.0 -> .../tests/Transport.TestHost/bin/Release/FRAMEWORK
        var bin = new DirectoryInfo(AppDomain.CurrentDomain.BaseDirectory.TrimEnd('/'));
        string name = Name + (framework == Net ? ".dll" : ".exe");
        string file = Path.Combine(Repository.Root, "tests", Name, "bin", bin.Parent!.Name, framework, name);
        if (!File.Exists(file) && framework == Mono && Own == Net)
        {
            Assert.Ignore("No mono on this machine, so there is no test host for it.");
        }

        Assert.That(file, Does.Exist, "build the whole solution first");
        return file;
    }
}
