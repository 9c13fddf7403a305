using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>The program itself, in a process of its own, as a user starts it.</summary>
internal sealed class Harness : IDisposable
{
    /// <summary>The program has 5 s after a signal, its last resort comes after 4.5; a slow machine needs longer to start and to end
    /// processes. What it interrupts would take a minute.</summary>
    public const long MostEndMs = 40_000;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(4);
    private readonly Process _process;
    private readonly List<string> _output = [];
    private readonly List<string> _errors = [];
    private readonly SemaphoreSlim _said = new(0);
    private readonly string _summary = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName() + ".json");

    private Harness(IEnumerable<string> arguments, string? limits = null, string program = "buildharness", string? network = null)
    {
        // A test runner started with Ctrl+C ignored (a shell's background job, some build servers) hands that down; the harness then
        // rightly ignores it too.
        string[] command = OperatingSystem.IsLinux() ? ["/usr/bin/env", "--default-signal=INT,TERM,HUP", DotNet] : [DotNet];
        if (network is not null)
        {
            command = ["/usr/sbin/ip", "netns", "exec", network, .. command];
        }

        if (limits is not null)
        {
            command = ["/bin/bash", "-c", limits + "; exec \"$@\"", "bash", .. command];
        }

        var start = new ProcessStartInfo(command[0])
        {
            RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = true, UseShellExecute = false,
        };
        foreach (string word in command[1..])
        {
            start.ArgumentList.Add(word);
        }

        start.ArgumentList.Add(Path.Combine(TestContext.CurrentContext.TestDirectory, program + ".dll"));
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument == "{summary}" ? _summary : argument);
        }

        // No server that outlives the test, and no worker of a main node that these tests may run under.
        start.Environment["UseSharedCompilation"] = "false";
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0";
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, e) => Take(_output, e.Data);
        _process.ErrorDataReceived += (_, e) => Take(_errors, e.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public static string DotNet { get; } = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } host ? host : "dotnet";

    /// <summary>Gets the file of the program that tests start as a worker.</summary>
    public static string Helper => TestHost.Find(TestHost.Net);

    public int ProcessId => _process.Id;

    public int ExitCode => _process.ExitCode;

    public bool HasExited => _process.HasExited;

    public string[] Output => Copy(_output);

    public string[] Errors => Copy(_errors);

    public static Harness Start(params string[] arguments) => new(arguments);

    /// <summary>Starts it in a network namespace.</summary>
    public static Harness StartIn(string network, params string[] arguments) => new(arguments, network: network);

    public static async Task<Harness> RunAsync(params string[] arguments)
    {
        Harness started = Start(arguments);
        await started.EndAsync();
        return started;
    }

    /// <summary>Starts the tool <c>transport</c>, which reads the harness's journals.</summary>
    public static Harness StartTool(params string[] arguments) => new(arguments, program: "Transport.Tool");

    /// <summary>Runs the tool <c>transport</c>.</summary>
    public static async Task<Harness> RunToolAsync(params string[] arguments)
    {
        Harness started = StartTool(arguments);
        await started.EndAsync();
        return started;
    }

    /// <summary>Starts it under limits or variables that a shell sets first.</summary>
    public static Harness StartUnder(string limits, params string[] arguments) => new(arguments, limits);

    /// <summary>Runs it under limits or variables that a shell sets first.</summary>
    public static async Task<Harness> RunUnderAsync(string limits, params string[] arguments)
    {
        Harness started = StartUnder(limits, arguments);
        await started.EndAsync();
        return started;
    }

    public async Task EndAsync()
    {
        using var patience = new CancellationTokenSource(Patience);
        try
        {
            await _process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            Assert.Fail($"it has not ended within {Patience.TotalMinutes:0} minutes:\n" + string.Join('\n', [.. Output, .. Errors]));
        }
    }

    /// <summary>Gives its standard input a line.</summary>
    public void Type(string line) => _process.StandardInput.WriteLine(line);

    /// <summary>Waits until a line says something.</summary>
    public async Task<string> SaysAsync(Func<string, bool> what)
    {
        using var patience = new CancellationTokenSource(Patience);
        while (true)
        {
            if (Output.FirstOrDefault(what) is { } line)
            {
                return line;
            }

            if (_process.HasExited)
            {
                await EndAsync();   // and all that it wrote has been read
                if (Output.FirstOrDefault(what) is { } last)
                {
                    return last;
                }
            }

            Assert.That(_process.HasExited, Is.False, () => "it has ended without saying so:\n"
                + string.Join('\n', [.. Output, .. Errors]));
            await _said.WaitAsync(TimeSpan.FromSeconds(1), patience.Token);
        }
    }

    /// <summary>The summary, which every case must write.</summary>
    public JsonElement Summary()
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(_summary));
        return document.RootElement.Clone();
    }

    /// <summary>The indented lines behind the one that says something, without their indent.</summary>
    public static string[] Block(string[] output, string first)
    {
        int at = Array.FindIndex(output, line => line.Contains(first, StringComparison.Ordinal));
        Assert.That(at, Is.Not.Negative, () => $"no line with \"{first}\":\n" + string.Join('\n', output));
        return [.. output.Skip(at + 1).TakeWhile(line => line.StartsWith("    ", StringComparison.Ordinal)).Select(line => line.Trim())];
    }

    /// <summary>Its living child processes.</summary>
    public int[] Children() => [.. Process.GetProcesses().Where(p => ParentOf(p.Id) == ProcessId).Select(p => p.Id)];

    public static void Kill(int pid, string signal)
    {
        using Process? kill = Process.Start("/bin/kill", ["-" + signal, pid.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        kill!.WaitForExit();
    }

    /// <summary>Whether a process runs: an exited one that nobody has waited for does not.</summary>
    public static bool IsAlive(int pid)
    {
        try
        {
            string[] stat = Stat(pid);
            return stat[0] is not ("Z" or "X");
        }
        catch (IOException)
        {
            return false;
        }
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.Dispose();
        _said.Dispose();
        File.Delete(_summary);
    }

    private static int ParentOf(int pid)
    {
        try
        {
            return int.Parse(Stat(pid)[1], System.Globalization.CultureInfo.InvariantCulture);
        }
        catch (IOException)
        {
            return 0;
        }
    }

    /// <summary>What follows the name in /proc/PID/stat: state, parent, …</summary>
    private static string[] Stat(int pid)
    {
        string stat = File.ReadAllText($"/proc/{pid}/stat");
        return stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
    }

    private static string[] Copy(List<string> lines)
    {
        lock (lines)
        {
            return [.. lines];
        }
    }

    private void Take(List<string> lines, string? line)
    {
        if (line is not null)
        {
            lock (lines)
            {
                lines.Add(line);
            }

            _said.Release();
        }
    }
}
