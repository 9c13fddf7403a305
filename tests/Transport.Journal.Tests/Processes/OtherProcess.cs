using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Processes;

/// <summary>A helper program that runs, and what it has said so far.</summary>
internal sealed class OtherProcess : IDisposable
{
    private readonly object _gate = new();
    private readonly List<string> _lines = [];
    private readonly ChildProcess _child;
    private TaskCompletionSource<bool> _said = New();

    public OtherProcess(string framework, params string[] arguments)
        : this(framework, backEnd: null, arguments)
    {
    }

    public OtherProcess(string framework, string? backEnd, string[] arguments)
    {
        WorkerStartOptions start = TestHost.StartOn(framework, ["journal", .. arguments]);
        start.Environment[BackEndChoice.Variable] = backEnd;
        start.Output = Take;
        _child = ChildProcess.Start(start);
    }

    /// <summary>Gets its lines on standard output.</summary>
    public string[] Lines
    {
        get
        {
            lock (_gate)
            {
                return [.. _lines];
            }
        }
    }

    /// <summary>Waits until it has said so many lines, or has ended.</summary>
    public async Task<string[]> SaysAsync(int lines)
    {
        while (true)
        {
            Task said;
            lock (_gate)
            {
                if (_lines.Count >= lines)
                {
                    return [.. _lines];
                }

                said = _said.Task;
            }

            Task first = await Task.WhenAny(said, _child.WaitForExitAsync()).Within($"line {lines} of the other process");
            if (first == _child.WaitForExitAsync() && Lines.Length < lines)
            {
                Assert.Fail($"the other process has ended after {Lines.Length} lines: "
                    + $"{string.Join("; ", Lines.Take(5).Concat(_child.LastErrorLines))}");
            }
        }
    }

    /// <summary>Waits until it ends by itself.</summary>
    public Task<ProcessExit> EndsAsync() => _child.WaitForExitAsync().Within("the other process's end");

    /// <summary>kill -9.</summary>
    public async Task KillAsync()
    {
        _child.Kill();
        _ = await EndsAsync();
    }

    public void Dispose()
    {
        if (!_child.WaitForExitAsync().IsCompleted)
        {
            _child.Kill();
        }
    }

    private static TaskCompletionSource<bool> New() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private void Take(OutputLine line)
    {
        if (line.IsError)
        {
            return;
        }

        TaskCompletionSource<bool> said;
        lock (_gate)
        {
            _lines.Add(line.Text);
            (said, _said) = (_said, New());
        }

        said.TrySetResult(true);
    }
}
