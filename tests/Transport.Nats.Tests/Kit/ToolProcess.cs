using System;
using System.Diagnostics;
using System.IO;
using System.Text;

namespace Transport.Nats.Tests.Kit;

/// <summary>The program <c>transport</c>, started with the same words again whenever it does not run.</summary>
/// <param name="arguments">The words.</param>
internal sealed class ToolProcess(params string[] arguments) : IDisposable
{
    private readonly StringBuilder _lines = new();
    private Process? _process;

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

    /// <summary>Starts it, unless it runs.</summary>
    public void Start()
    {
        if (_process is not null)
        {
            return;
        }

        var start = new ProcessStartInfo("dotnet", ["exec", Path.Combine(AppContext.BaseDirectory, "Transport.Tool.dll"), .. arguments])
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Add(line.Data);
        _process.ErrorDataReceived += (_, line) => Add(line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

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

    private void Add(string? line)
    {
        lock (_lines)
        {
            _lines.AppendLine(line);
        }
    }
}
