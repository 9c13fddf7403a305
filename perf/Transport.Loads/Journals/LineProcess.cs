using System;
using System.Diagnostics;

namespace Transport.Loads.Journals;

/// <summary>A program that answers each line of its input by one line.</summary>
internal sealed class LineProcess : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly string _name;

    /// <summary>Initializes a new instance of the <see cref="LineProcess"/> class: starts the program and waits for its first
    /// line.</summary>
    public LineProcess(string program, params string[] arguments)
    {
        _name = string.Join(' ', arguments);
        _process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true,
        })!;
        Answer();
    }

    /// <summary>Orders, and waits for the answer.</summary>
    public string Ask(string line)
    {
        _process.StandardInput.WriteLine(line);
        _process.StandardInput.Flush();
        return Answer();
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(10_000))
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private string Answer()
    {
        try
        {
            return _process.StandardOutput.ReadLineAsync().WaitAsync(s_limit).GetAwaiter().GetResult()
                ?? throw new LoadException($"The floor '{_name}' ended; what it said stands above.");
        }
        catch (TimeoutException)
        {
            throw new LoadException($"The floor '{_name}' (pid {_process.Id}) has not answered for {s_limit.TotalSeconds:f0} s.");
        }
    }
}
