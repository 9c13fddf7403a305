using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Transport.Logging;

namespace Transport.Hosting;

/// <summary>A host's main node. It listens once a service asks for it, or before the
/// host's services start, and stops its workers after those have
/// stopped.</summary>
/// <remarks>Safe from any thread. The host calls the lifecycle methods one after the other.</remarks>
internal sealed class HostedMainNode : IHostedLifecycleService, IAsyncDisposable
{
    private const string OutputCategory = "Transport.Workers.Output";

    /// <summary>How long a worker's end by a signal waits for its explanation: who stops a whole group, as systemd does, reaches workers a
    /// moment before or after this process.</summary>
    private static readonly TimeSpan SignalGrace = TimeSpan.FromSeconds(1);

    private static readonly HostOptionsReader<MainNodeOptions> Keys = new HostOptionsReader<MainNodeOptions>("Transport:MainNode")
        .Text("NodePrefix", "1 to 50 characters of A-Z a-z 0-9 . _ -", static (options, value) => options.NodePrefix = value)
        .Time("ConnectTimeout", "00:00:00.1 to 01:00:00", static (options, value) => options.ConnectTimeout = value)
        .Time("StopTimeout", "00:00:00 to 01:00:00", static (options, value) => options.StopTimeout = value)
        .Time("BrokenLinkGrace", "00:00:00 to 01:00:00", static (options, value) => options.BrokenLinkGrace = value)
        .Integer("TailBytes", "0, or 65536 to 268435456", static (options, value) => options.TailBytes = value)
        .Integer("MaxPacketBytes", "65536 to 1073741824", static (options, value) => options.Link.MaxPacketBytes = value)
        .Integer("MaxQueuedBytes", "65536 to 1073741824", static (options, value) => options.Link.MaxQueuedBytes = value);

    private readonly IServiceProvider _services;
    private readonly RemoteLoggers _remote;
    private readonly ILoggerFactory _loggers;
    private readonly ILogger _log;
    private readonly HostLevels _levels;
    private readonly CancellationToken _stopping;
    private readonly object _gate = new();
    private readonly List<Task> _following = [];   // under the gate
    private readonly ConditionalWeakTable<Link, SetLevel> _set = new();   // under the gate, as the next two
    private long _looks;
    private bool _isOver;

    public HostedMainNode(IServiceProvider services, IConfiguration? configuration, Action<MainNodeOptions>? configure)
    {
        _services = services;
        _loggers = services.GetRequiredService<ILoggerFactory>();
        _log = _loggers.CreateLogger("Transport.Hosting");
        _stopping = services.GetService<IHostApplicationLifetime>()?.ApplicationStopping ?? CancellationToken.None;
        _remote = new RemoteLoggers(_loggers);
        _ = services.GetRequiredService<DiagnosticsLogger>();   // from here on, until the container disposes it
        _levels = new HostLevels(services, _log, SetLevels);
        var options = new MainNodeOptions();
        Keys.Read(configuration, options, read =>
        {
            configure?.Invoke(read);
            read.Link.MinimumLevel = _levels.Current().Least;
            _ = read.CheckedCopy();
        });
        Main = MainNode.Start(options);
        (Main.Starting, Main.Started) = (Prepare, Follow);
    }

    public MainNode Main { get; }

    private bool IsOver
    {
        get
        {
            lock (_gate)
            {
                return _isOver || _stopping.IsCancellationRequested;
            }
        }
    }

    public Task StartingAsync(CancellationToken cancellationToken)
    {
        _levels.Follow();
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        _levels.Dispose();
        lock (_gate)
        {
            _isOver = true;
        }

        await Task.WhenAll(Main.Workers.Select(worker => worker.StopAsync("the main node's host stops", null, cancellationToken)))
            .ConfigureAwait(false);
        await Main.DisposeAsync().ConfigureAwait(false);
        Task[] following;
        lock (_gate)
        {
            following = [.. _following];
        }

        await Task.WhenAll(following).ConfigureAwait(false);   // their exits are logged before the loggers are gone
    }

    public async ValueTask DisposeAsync() => await StoppedAsync(CancellationToken.None).ConfigureAwait(false);

    /// <summary>Adds the host's handlers and logging to what a worker is started with.</summary>
    private void Prepare(WorkerStartOptions start)
    {
        string node = start.Node!;
        ILogger log = _loggers.CreateLogger(OutputCategory);
        Action<OutputLine>? output = start.Output;
        start.OwnProcessGroup = true;   // Ctrl+C at the terminal reaches the main node alone
        start.Output = line =>
        {
            log.Log(line.IsError ? LogLevel.Warning : LogLevel.Information, "{Node}: {Line}", node, TerminalText.Escape(line.Text));
            output?.Invoke(line);
        };
        start.Router = start.Router.Copy();
        if (start.Router.Find(LogEvent.PacketType.Id) is null)
        {
            _ = start.Router.On<LogEvent>(e => _remote.Write(e, node));
        }

        _ = HandlerRegistration.AddAll(_services, start.Router);
    }

    private void Follow(WorkerProcess worker)
    {
        _log.LogDebug("Worker {Node} (pid {ProcessId}) started: {FileName}", worker.Node, worker.ProcessId, worker.FileName);
        lock (_gate)
        {
            _ = _following.RemoveAll(static task => task.IsCompleted);
            _following.Add(FollowAsync(worker));
        }
    }

    private void SetLevels()
    {
        foreach (WorkerProcess worker in Main.Workers)
        {
            _ = SetLevelAsync(worker);
        }
    }

    /// <summary>Sets the level of the rules as they are once there is a link. Of two looks at the rules the one that began later wins; the
    /// looks themselves are the program's code, and not under the gate.</summary>
    private async Task SetLevelAsync(WorkerProcess worker)
    {
        try
        {
            Link link = await worker.WaitForLinkAsync().ConfigureAwait(false);
            long look;
            lock (_gate)
            {
                look = ++_looks;
            }

            LevelRules rules = _levels.Current();
            lock (_gate)
            {
                SetLevel set = _set.GetOrCreateValue(link);
                if (look > set.Look)
                {
                    set.Look = look;
                    _ = link.SetLevels(rules);
                }
            }
        }
        catch (TransportException)
        {
            // It exited without a link, which its exit report says.
        }
    }

    private async Task FollowAsync(WorkerProcess worker)
    {
        Task<WorkerExit> ending = worker.WaitForExitAsync();

        // Welcome had the least level at the main node's start; rules by category come now, and may have been reloaded since.
        await SetLevelAsync(worker).ConfigureAwait(false);
        WorkerExit exit = await ending.ConfigureAwait(false);
        if (exit.IsSuccess)
        {
            _log.LogInformation("Worker {Node} (pid {ProcessId}) exited: {Cause}", exit.Node, exit.ProcessId, exit.Cause);
        }
        else if (await IsStoppedWithUsAsync(exit).ConfigureAwait(false))
        {
            if (exit.Link is null)
            {
                _log.LogInformation("Worker {Node} (pid {ProcessId}) was stopped while it was starting: {Cause}", exit.Node, exit.ProcessId,
                    exit.Cause);
            }
            else
            {
                bool isWhole = exit.AllPacketsHandled;
                _log.Log(isWhole ? LogLevel.Information : LogLevel.Warning,
                    "Worker {Node} (pid {ProcessId}) was stopped with its main node: {Exit}", exit.Node, exit.ProcessId,
                    isWhole ? exit.Cause : exit.Report);
            }
        }
        else
        {
            _log.Log(exit.IsClean ? LogLevel.Warning : LogLevel.Error, "Worker {Node} (pid {ProcessId}) exited: {Cause}\n{Report}", exit.Node,
                exit.ProcessId, exit.Cause, exit.Report);
        }
    }

    /// <summary>Whether a worker ended while this host stops, or a moment before, by a signal that stops programs (its exit code says so if
    /// it stopped in order); or, before it had a link, in order, or because there was nobody to connect to any more.</summary>
    private async Task<bool> IsStoppedWithUsAsync(WorkerExit exit)
    {
        const int Interrupt = 2, Quit = 3, Terminate = 15, Shell = 128;
        bool isSignal = exit.Process.Signal is Interrupt or Quit or Terminate
            || exit.Process.ExitCode is Shell + Interrupt or Shell + Quit or Shell + Terminate;
        bool isStart = exit.Link is null
            && ((exit.KilledByMainNode && !IsLate(exit)) || exit.Process.ExitCode is 0 or WorkerHost.MainNodeGoneExitCode);
        if (!isSignal && !isStart)
        {
            return false;
        }

        if (!IsOver)
        {
            using var delay = new Delay(TimeProvider.System, SignalGrace, _stopping);
            await delay.Task.ConfigureAwait(false);
        }

        return IsOver;
    }

    /// <summary>Whether it was killed because it had not connected in time, which no stop brings.</summary>
    private static bool IsLate(WorkerExit exit) => exit.Cause.StartsWith(nameof(TransportFault.HandshakeTimeout), StringComparison.Ordinal);

    /// <summary>Which look at the rules a link has the levels of.</summary>
    private sealed class SetLevel
    {
        public long Look { get; set; }
    }
}
