using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The build as a child process that has this one's terminal, input and output, and ends in its own way: signals are passed on to it,
/// and its exit code is the result. One run at a time.</summary>
internal sealed class BuildProcess : IDisposable
{
    private readonly Lock _gate = new();
    private readonly PosixSignalRegistration[] _signals;
    private ChildProcess? _child;   // all below: under the lock
    private int _asked;
    private int? _signal;

    public BuildProcess()
    {
        _signals =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGINT, context => On(context, ToolExitCodes.Interrupted)),
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => On(context, ToolExitCodes.Terminated)),
            PosixSignalRegistration.Create(PosixSignal.SIGHUP, context => On(context, ToolExitCodes.HungUp)),
        ];
    }

    /// <summary>Runs a command to its end.</summary>
    /// <param name="command">The program and its arguments.</param>
    /// <param name="environment">What is added to its environment.</param>
    /// <returns>Its exit code, as a shell has it: 128 and the signal's number if one has ended it.</returns>
    /// <exception cref="ToolException">It cannot be started.</exception>
    public async Task<int> RunAsync(string[] command, IEnumerable<(string Name, string Value)> environment)
    {
        var start = new ProcessStartOptions(command[0], command[1..]) { InheritStandardInput = true, InheritOutput = true };
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        ChildProcess child;
        lock (_gate)
        {
            if (_signal is { } before)
            {
                return before;
            }

            try
            {
                child = _child = ChildProcess.Start(start);
            }
            catch (TransportException e) when (e.Fault == TransportFault.StartFailed)
            {
                throw new ToolException($"collect: {e.Message}", ToolExitCodes.BadUsage);
            }
        }

        ProcessExit exit = await child.WaitForExitAsync().ConfigureAwait(false);
        lock (_gate)
        {
            _child = null;
        }

        return exit.ShellExitCode;
    }

    /// <summary>Gives the signals back. Never throws.</summary>
    public void Dispose()
    {
        foreach (PosixSignalRegistration signal in _signals)
        {
            signal.Dispose();
        }
    }

    /// <summary>The build ends by itself, so that its last events arrive; only who asks a third time has it killed. Ctrl+C at the terminal
    /// reaches the build without this process.</summary>
    private void On(PosixSignalContext context, int exitCode)
    {
        context.Cancel = true;
        lock (_gate)
        {
            _signal ??= exitCode;
            _asked += exitCode == ToolExitCodes.HungUp ? 0 : 1;
            if (_asked > 2)
            {
                _child?.Kill();
            }
            else if (exitCode == ToolExitCodes.Terminated)
            {
                _child?.Terminate();
            }
            else if (exitCode == ToolExitCodes.Interrupted && !IsInForeground())
            {
                _child?.Interrupt();
            }
        }
    }

    /// <summary>Whether this process's group is the one that the terminal sends Ctrl+C to (proc(5), stat: fields 5 and 8). Where that cannot
    /// be known, a process that reads from a terminal is taken for one.</summary>
    private static bool IsInForeground()
    {
        try
        {
            string stat = File.ReadAllText("/proc/self/stat");
            string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
            return fields[2] == fields[5];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return !Console.IsInputRedirected;
        }
    }
}
