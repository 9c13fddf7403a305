using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;

namespace Transport.Loads.Trees;

/// <summary><c>buildharness</c> as a user has it: published, compiled ahead. A quick run takes the one that is built, which is compiled as
/// it runs.</summary>
internal sealed class PublishedHarness
{
    /// <summary>Names a folder if it has been published already.</summary>
    public const string Variable = "TRANSPORT_LOADS_HARNESS";

    private readonly string _program;
    private readonly IReadOnlyList<string> _first;

    private PublishedHarness(string program, params string[] first)
    {
        _program = program;
        _first = first;
    }

    /// <summary>Gets whether there is one at all.</summary>
    public static bool IsBuilt => File.Exists(Repository.Output("samples/BuildHarness", "net10.0", "buildharness.dll"));

    /// <exception cref="LoadException">It cannot be published.</exception>
    public static PublishedHarness Make(RunOptions options)
    {
        string dotnet = Repository.OnPath("dotnet") ?? "dotnet";
        if (options.Quick)
        {
            return new PublishedHarness(dotnet, Repository.Output("samples/BuildHarness", "net10.0", "buildharness.dll"));
        }

        string folder = Environment.GetEnvironmentVariable(Variable) ?? Publish(options, dotnet);
        string program = Path.Combine(folder, OperatingSystem.IsWindows() ? "buildharness.exe" : "buildharness");
        return File.Exists(program) ? new PublishedHarness(program) : throw new LoadException($"{program} is not there.");
    }

    /// <summary>Extracts an archive.</summary>
    public TreeSample Extract(string archive, string folder, params string[] options) =>
        TreeSample.OfProgram(_program, [.. _first, "extract", archive, folder, .. options]);

    private static string Publish(RunOptions options, string dotnet)
    {
        options.Say("publishing the harness");
        string folder = Path.Combine(AppContext.BaseDirectory, "published-harness");
        var start = new ProcessStartInfo(dotnet, ["publish", "samples/BuildHarness", "-c", "Release", "--use-current-runtime",
            "--self-contained", "false", "-o", folder, "-v", "q", "-nologo"])
        {
            WorkingDirectory = Repository.Root,
            UseShellExecute = false,
            RedirectStandardOutput = true,
        };
        using Process publish = Process.Start(start)!;
        string said = publish.StandardOutput.ReadToEnd();
        publish.WaitForExit();
        return publish.ExitCode == 0 ? folder : throw new LoadException($"the harness cannot be published: {said.Trim()}");
    }}
