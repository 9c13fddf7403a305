using System;
using System.Diagnostics;
using System.Globalization;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>The main process's handle on a worker process.</summary>
internal sealed class LoadWorker : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(180);

    private readonly Process _process;
    private readonly string _name;

    /// <summary>Initializes a new instance of the <see cref="LoadWorker"/> class: starts the process and waits until its job is
    /// connected.</summary>
    /// <param name="secret">The link's secret, or an empty string.</param>
    /// <param name="job">The job and its arguments, as <see cref="Jobs.Make"/> takes them.</param>
    public LoadWorker(string secret, params string[] job)
        : this(WorkerKind.Net, secret, job)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="LoadWorker"/> class for a chosen runtime.</summary>
    /// <param name="kind">The program.</param>
    /// <param name="secret">The link's secret, or an empty string.</param>
    /// <param name="job">The job and its arguments.</param>
    public LoadWorker(WorkerKind kind, string secret, params string[] job)
    {
        _name = $"{string.Join(' ', job)} on {kind.Name}";
        var start = new ProcessStartInfo(kind.Program)
        {
            UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true,
        };
        foreach (string word in (string[])[.. kind.Arguments, .. job])
        {
            start.ArgumentList.Add(word);
        }

        start.Environment[WorkerLink.SecretVariable] = secret;
        foreach ((string variable, string value) in kind.Settings)
        {
            start.Environment[variable] = value;
        }

        _process = Process.Start(start)!;
        Expect("ready");
    }

    /// <summary>Gets the process's id.</summary>
    public int Id => _process.Id;

    /// <summary>Asks the worker to begin a round.</summary>
    public void Go(params object[] order) =>
        Order("go " + string.Join(' ', Array.ConvertAll(order, o => Convert.ToString(o, CultureInfo.InvariantCulture))));

    /// <summary>Asks the worker to go on with the round, without beginning to count anew.</summary>
    public void On(string order) => Order("on " + order);

    /// <summary>Waits until the worker has done its part of the round.</summary>
    /// <returns>What the job says.</returns>
    public string Done() => Expect("done");

    /// <summary>Asks what the worker has used since the round began.</summary>
    public Usage Stop()
    {
        Order("stop");
        return Usage.Parse(Expect("usage"));
    }

    /// <summary>Asks a job that reports it for the most memory that was resident at once in the worker, in bytes.</summary>
    public long Peak()
    {
        On("peak");
        return long.Parse(Done(), CultureInfo.InvariantCulture);
    }

    /// <summary>Kills the worker, in the middle of whatever it does.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    public void Dispose()
    {
        try
        {
            Order("quit");
            if (!_process.WaitForExit(10_000))
            {
                _process.Kill();
            }
        }
        catch (System.IO.IOException)
        {
            // It is gone already.
        }

        _process.Dispose();
    }

    private void Order(string line)
    {
        _process.StandardInput.WriteLine(line);
        _process.StandardInput.Flush();
    }

    private string Expect(string word)
    {
        string? line;
        try
        {
            line = _process.StandardOutput.ReadLineAsync().WaitAsync(s_limit).GetAwaiter().GetResult();
        }
        catch (TimeoutException)
        {
            throw new LoadException($"The worker '{_name}' (pid {_process.Id}) has not answered '{word}' for {s_limit.TotalSeconds:f0} s.");
        }

        return line is not null && line.StartsWith(word, StringComparison.Ordinal)
            ? line[word.Length..].Trim()
            : throw new LoadException($"The worker '{_name}' was to answer '{word}', but {(line is null ? "ended" : $"said '{line}'")}.");
    }
}
