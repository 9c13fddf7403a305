using System;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A child on Windows, through System.Diagnostics.Process: there the exit code is all the truth there is. Tested on Unix as far as
/// that goes.</summary>
internal sealed class ManagedChild : IChild
{
    private const int ErrorFileNotFound = 2, ErrorPathNotFound = 3, ErrorAccessDenied = 5, ErrorBadExeFormat = 193;
    private readonly TaskCompletionSource<ProcessExit> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly object _sinkGate = new();
    private readonly Process _process;
    private readonly OutputSink _sink;

    private ManagedChild(Process process, string executable, OutputSink sink)
    {
        _process = process;
        _sink = sink;
        ProcessId = process.Id;
        Executable = executable;
    }

    public int ProcessId { get; }

    public string Executable { get; }

    public bool KilledHere { get; private set; }

    public bool TerminatedHere => false;

    public bool HasExited => _process.HasExited;

    public Task<ProcessExit> Ended => _ended.Task;

    public static IChild? TryStart(ProcessStartOptions start, OutputSink sink, out StartError? error)
    {
        var info = new ProcessStartInfo(start.FileName)
        {
            UseShellExecute = false,
            CreateNoWindow = !start.InheritOutput,
            RedirectStandardOutput = !start.InheritOutput,
            RedirectStandardError = !start.InheritOutput,
            RedirectStandardInput = !start.InheritStandardInput,
            WorkingDirectory = start.WorkingDirectory ?? string.Empty,
            Arguments = string.Join(" ", start.Arguments.Select(Quoted)),
        };
        foreach (string name in info.Environment.Keys.ToArray())
        {
            info.Environment.Remove(name);
        }

        foreach (var pair in ChildEnvironment.Of(start))
        {
            info.Environment[pair.Key] = pair.Value;
        }

        try
        {
            Process process = Process.Start(info)!;
            var child = new ManagedChild(process, PathOf(process, start.FileName), sink);
            child.Follow(closeInput: !start.InheritStandardInput, readOutput: !start.InheritOutput);
            error = null;
            return child;
        }
        catch (Win32Exception thrown)
        {
            error = new StartError(Kind(thrown.NativeErrorCode), $"\"{start.FileName}\" was not started: {thrown.Message}");
            return null;
        }
    }

    public bool Kill(bool atOnce)
    {
        try
        {
            if (_process.HasExited)
            {
                return false;
            }

            _process.Kill();
            KilledHere = true;
            return true;
        }
        catch (Exception thrown) when (thrown is InvalidOperationException or Win32Exception)
        {
            return false;
        }
    }

    /// <summary>Nothing: Windows has no such signal for a single process.</summary>
    public bool Interrupt() => false;

    /// <summary>Nothing: Windows kills no process for lack of memory.</summary>
    public void LookAtMemory(bool moved)
    {
    }

    private static string PathOf(Process process, string asked)
    {
        try
        {
            return process.MainModule?.FileName ?? asked;
        }
        catch (Exception thrown) when (thrown is Win32Exception or InvalidOperationException)
        {
            return asked; // it has ended already, or is of another bitness
        }
    }

    private static StartFailure Kind(int code) => code switch
    {
        ErrorFileNotFound or ErrorPathNotFound => StartFailure.NotFound,
        ErrorAccessDenied or ErrorBadExeFormat => StartFailure.NotExecutable,
        _ => StartFailure.Other,
    };

    /// <summary>Quotes as CommandLineToArgvW reads it: backslashes count only before a quotation mark.</summary>
    private static string Quoted(string argument)
    {
        if (argument.Length > 0 && argument.IndexOfAny([' ', '\t', '\n', '\v', '"']) < 0)
        {
            return argument;
        }

        var text = new StringBuilder("\"");
        int slashes = 0;
        foreach (char c in argument)
        {
            if (c == '\\')
            {
                slashes++;
                continue;
            }

            text.Append('\\', c == '"' ? (2 * slashes) + 1 : slashes).Append(c);
            slashes = 0;
        }

        return text.Append('\\', 2 * slashes).Append('"').ToString();
    }

    private void Follow(bool closeInput, bool readOutput)
    {
        if (closeInput)
        {
            _process.StandardInput.Dispose();
        }

        Thread? stdout = readOutput ? Reader(_process.StandardOutput.BaseStream, isError: false) : null;
        Thread? stderr = readOutput ? Reader(_process.StandardError.BaseStream, isError: true) : null;
        var end = new Thread(() =>
        {
            _process.WaitForExit();
            stdout?.Join();
            stderr?.Join();
            _ended.TrySetResult(ProcessExit.Exited(_process.ExitCode));
        })
        {
            IsBackground = true,
            Name = $"child {ProcessId}",
        };
        end.Start();
    }

    private Thread Reader(Stream stream, bool isError)
    {
        var thread = new Thread(() =>
        {
            var cutter = new LineCutter(isError, Take);
            var buffer = new byte[32 << 10];
            try
            {
                int count;
                while ((count = stream.Read(buffer, 0, buffer.Length)) > 0)
                {
                    cutter.Append(buffer, count);
                }
            }
            catch (IOException)
            {
                // a broken pipe is the end of the stream
            }

            cutter.Complete();
        })
        {
            IsBackground = true,
            Name = $"child {ProcessId} {(isError ? "Error" : "Out")}",
        };
        thread.Start();
        return thread;
    }

    private void Take(OutputLine line)
    {
        lock (_sinkGate)
        {
            _sink.Take(line);
        }
    }
}
