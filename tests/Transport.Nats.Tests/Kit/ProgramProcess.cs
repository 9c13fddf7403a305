using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;

namespace Transport.Nats.Tests.Kit;

/// <summary>A program beside the tests, started with the same words again whenever it does not run.</summary>
/// <param name="dll">The program.</param>
/// <param name="arguments">The words.</param>
internal sealed class ProgramProcess(string dll, params string[] arguments) : IDisposable
{
    private readonly StringBuilder _lines = new();
    private Process? _process;

    /// <summary>Gets what it finds in its environment beside what the tests have.</summary>
    public IDictionary<string, string> Environment { get; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Gets its exit code.</summary>
    public int ExitCode => _process!.ExitCode;

    /// <summary>Gets a value indicating whether it has ended by itself.</summary>
    public bool HasEnded => _process is { HasExited: true };

    /// <summary>Gets what it has written.</summary>
    public string Lines
    {
        get
        {
            lock (_lines)
            {
                return _lines.ToString();
            }
        }
    }

    /// <summary>Makes the program <c>transport</c>.</summary>
    public static ProgramProcess Tool(params string[] arguments) => new("Transport.Tool.dll", arguments);

    /// <summary>Starts an agent with workers.</summary>
    /// <param name="url">The server.</param>
    /// <param name="name">Its name.</param>
    /// <param name="workers">How many workers it has.</param>
    public static ProgramProcess Agent(string url, string name, int workers) =>
        Helper("agent", url, name, workers.ToString(CultureInfo.InvariantCulture));

    /// <summary>Starts the program of requests.</summary>
    public static ProgramProcess Helper(params string[] arguments)
    {
        var helper = new ProgramProcess("nats-helper.dll", arguments);
        helper.Start();
        return helper;
    }

    /// <summary>Returns the processes that it has started and that run.</summary>
    public IReadOnlyList<int> Children()
    {
        try
        {
            return [.. Directory.EnumerateDirectories($"/proc/{_process!.Id}/task")
                .SelectMany(thread => File.ReadAllText(Path.Combine(thread, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Select(id => int.Parse(id, CultureInfo.InvariantCulture))];
        }
        catch (IOException)
        {
            return [];
        }
    }

    /// <summary>Starts it, unless it runs.</summary>
    public void Start()
    {
        if (_process is not null)
        {
            return;
        }

        var start = new ProcessStartInfo("dotnet", ["exec", Path.Combine(AppContext.BaseDirectory, dll), .. arguments])
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        foreach ((string key, string value) in Environment)
        {
            start.Environment[key] = value;
        }

        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Add(line.Data);
        _process.ErrorDataReceived += (_, line) => Add(line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>Sends it a signal.</summary>
    /// <returns>0 if it could be sent.</returns>
    public int Signal(int signal) => kill(_process!.Id, signal);

    /// <summary>Kills it (SIGKILL).</summary>
    public void Kill()
    {
        _process?.Kill();
        _process?.WaitForExit();
        _process?.Dispose();
        _process = null;
    }

    /// <inheritdoc/>
    public void Dispose() => Kill();

    [DllImport("libc")]
    private static extern int kill(int process, int signal);

    private void Add(string? line)
    {
        lock (_lines)
        {
            _lines.AppendLine(line);
        }
    }
}
