using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Fuzz.Hostile;

/// <summary>The attacked process seen from outside: starts it, asks it, measures it.</summary>
internal sealed class VictimProcess : IDisposable
{
    private readonly Process _process;
    private readonly SemaphoreSlim _one = new(1);
    private readonly BlockingCollection<string> _lines = [];

    private VictimProcess(Process process)
    {
        _process = process;
        process.OutputDataReceived += (_, e) =>
        {
            if (e.Data is { } line)
            {
                _lines.Add(line);
            }
        };
        process.BeginOutputReadLine();
        string[] words = Await("listening ").Split(' ');
        (Main, Doors, WorkerId) = (words[1], words[2], int.Parse(words[3], System.Globalization.CultureInfo.InvariantCulture));
    }

    /// <summary>Gets the main node's socket.</summary>
    public string Main { get; }

    /// <summary>Gets the socket at which hostile workers have tickets.</summary>
    public string Doors { get; }

    public int WorkerId { get; }

    public Footprint Footprint => Footprint.Of(_process.Id);

    public static VictimProcess Start()
    {
        ProcessStartInfo start = HostileRun.Again("hostile-main");
        start.RedirectStandardInput = true;
        return new VictimProcess(Process.Start(start)!);
    }

    /// <summary>Asks for a line that begins with the same word.</summary>
    public async Task<string> AskAsync(string question)
    {
        await _one.WaitAsync().ConfigureAwait(false);
        try
        {
            Report(question);
            return await Task.Run(() => Await(question + " ")).ConfigureAwait(false);
        }
        finally
        {
            _one.Release();
        }
    }

    /// <summary>Asks how many packets of the real worker have come.</summary>
    public async Task<long> CountAsync() =>
        long.Parse((await AskAsync("count").ConfigureAwait(false)).Split(' ')[1], System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>Waits until the real worker has streamed so many more.</summary>
    public async Task StreamAsync(long packets)
    {
        long until = await CountAsync().ConfigureAwait(false) + packets;
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(100));
        while (await CountAsync().ConfigureAwait(false) < until)
        {
            await look.WaitForNextTickAsync().ConfigureAwait(false);
        }
    }

    public void Report(string word)
    {
        _process.StandardInput.WriteLine(word);
        _process.StandardInput.Flush();
    }

    /// <summary>Waits for a line; others before it are shown.</summary>
    public string Await(string beginning)
    {
        while (_lines.TryTake(out string? line, TimeSpan.FromSeconds(60)))
        {
            if (line.StartsWith(beginning, StringComparison.Ordinal))
            {
                return line;
            }

            Console.WriteLine(line);
        }

        throw new TimeoutException($"The main node did not say \"{beginning}\" within 60 "
            + $"s{(_process.HasExited ? $": it has ended with {_process.ExitCode}" : string.Empty)}.");
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            Report("quit");
            if (!_process.WaitForExit(20_000))
            {
                _process.Kill();
            }
        }

        _process.Dispose();
        _one.Dispose();
        _lines.Dispose();
    }
}
