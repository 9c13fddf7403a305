using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Transport.Hosting;

/// <summary>A worker's host: connected before its other services start, closed after they have stopped.</summary>
/// <remarks>Safe from any thread. The host calls the lifecycle methods one after the other; the link's callbacks come from its own
/// threads.</remarks>
internal sealed class HostedWorker : IWorkerLink, IHostedLifecycleService, IDisposable
{
    private static readonly HostOptionsReader<WorkerHostOptions> Keys = new HostOptionsReader<WorkerHostOptions>("Transport:Worker")
        .Integer("MaxPacketBytes", "65536 to 1073741824", static (options, value) => options.Link.MaxPacketBytes = value)
        .Integer("MaxQueuedBytes", "65536 to 1073741824", static (options, value) => options.Link.MaxQueuedBytes = value)
        .Time("ShutdownTimeout", "00:00:00 to 01:00:00", static (options, value) => options.ShutdownTimeout = value)
        .Time("CloseTimeout", "00:00:00.1 to 01:00:00", static (options, value) => options.Link.CloseTimeout = value);

    /// <summary>How long requests are waited for before the host's services are stopped, at most. A main node gives a stop 5 s by
    /// default.</summary>
    private static readonly TimeSpan AnswersFirst = TimeSpan.FromSeconds(2);

    private readonly IServiceProvider _services;
    private readonly IConfiguration? _configuration;
    private readonly Action<WorkerHostOptions>? _configure;
    private readonly IHostApplicationLifetime _lifetime;
    private readonly ILogger _log;
    private readonly WorkerHostOptions _options = new();
    private readonly TaskCompletionSource<Link> _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Link? _link;   // set once by StartingAsync, before the task of _connected; read by those who have seen that completed
    private readonly TaskCompletionSource<bool> _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly StopReasons _reasons;
    private CancellationTokenRegistration _asked;

    public HostedWorker(IServiceProvider services, IConfiguration? configuration, Action<WorkerHostOptions>? configure)
    {
        _services = services;
        _configuration = configuration;
        _configure = configure;
        _ = services.GetRequiredService<DiagnosticsLogger>();   // from here on, until the container disposes it
        _lifetime = services.GetRequiredService<IHostApplicationLifetime>();
        _log = services.GetRequiredService<ILoggerFactory>().CreateLogger("Transport.Hosting");
        _reasons = new StopReasons(services);
    }

    public Link Link => Current ?? throw (_connected.Task.IsCanceled
            ? new OperationCanceledException("There is no link to a main node: the host stops.")
            : new InvalidOperationException("The host has not connected yet: use IWorkerLink.Link in StartAsync or later."));

    /// <summary>Gets the link; null if there is none yet, or will be none.</summary>
    internal Link? Current => _connected.Task.Status == TaskStatus.RanToCompletion ? _link : null;

    public Task<Link> WaitForLinkAsync(CancellationToken cancellationToken = default) =>
        Delay.UntilAsync(_connected.Task, cancellationToken);

    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        if (!WorkerHost.IsWorker)
        {
            GiveUp(
                WorkerHost.NotAWorkerExitCode,
                "No main node has started this process: start it with MainNode.StartWorker.");
            return;
        }

        Keys.Read(_configuration, _options, options =>
        {
            _configure?.Invoke(options);
            options.Check();
        });
        _options.Host = new HostStop(_options.ShutdownTimeout, _stopped.Task);
        _options.CloseOnStop = false;   // the host closes the link, behind its services' last packets
        PacketRouter router = HandlerRegistration.AddAll(_services, new PacketRouter());
        _reasons.Watch();
        Link link;
        try
        {
            link = await WorkerHost.ConnectAsync(router, _options, cancellationToken).ConfigureAwait(false);
        }
        catch (TransportException e)
        {
            GiveUp(WorkerHost.MainNodeGoneExitCode, e.Message);
            return;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The host is stopped while it starts, by a signal for one: that is no failure of the start.
            _ = _connected.TrySetCanceled(CancellationToken.None);
            return;
        }

        // Read with the host's environment, before the worker took it out of that; spent, and nobody's to read.
        _configuration?.GetSection(WorkerEnvironment.Secret).Value = null;
        _asked = link.StopRequested.Register(OnAsked);
        _ = StopAtEndAsync(link);
        _services.GetRequiredService<PendingLogSink>().Attach(link);
        _link = link;
        _ = _connected.TrySetResult(link);
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Requests that were begun are answered while the services that answer them still run; one that takes long leaves these time
    /// to stop in order, and is waited for behind them.</summary>
    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        using var first = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        first.CancelAfter(AnswersFirst);
        await AnswerAsync(first.Token).ConfigureAwait(false);
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        (int code, string reason) = _reasons.Failure() ?? (0, string.Empty);
        if (Current is not { } link)
        {
            Environment.ExitCode = Environment.ExitCode == 0 ? code : Environment.ExitCode;
            return;
        }

        _asked.Dispose();
        if (code != 0)
        {
            await Console.Error.WriteLineAsync($"The worker's host failed: {reason}").ConfigureAwait(false);
            Environment.ExitCode = Environment.ExitCode == 0 ? code : Environment.ExitCode;
        }

        await AnswerAsync(cancellationToken).ConfigureAwait(false);
        LinkEnd end = await link.CloseAsync(reason, cancellationToken: cancellationToken).ConfigureAwait(false);
        _ = _stopped.TrySetResult(true);
        if (Environment.ExitCode == 0 && !(end.IsClean && end.Receipt.NoLossKnown))
        {
            Environment.ExitCode = WorkerHost.MainNodeGoneExitCode;
        }
    }

    /// <summary>Ends a link that the host has not closed, such as one whose other services could not start.</summary>
    public void Dispose()
    {
        Current?.Abort("the worker's host was disposed");
        _ = _stopped.TrySetResult(true);
        _reasons.Dispose();
    }

    private Task AnswerAsync(CancellationToken cancellationToken) =>
        Current is { StopRequested.IsCancellationRequested: true } link ? link.AnswerRequestsAsync(cancellationToken) : Task.CompletedTask;

    /// <summary>Stops a host that gets no link.</summary>
    private void GiveUp(int exitCode, string why)
    {
        _log.LogCritical("{Message} The host stops.", why);
        Environment.ExitCode = exitCode;
        _ = _connected.TrySetCanceled(CancellationToken.None);
        _lifetime.StopApplication();
    }

    private void OnAsked()
    {
        _reasons.MainNodeAsked();
        _lifetime.StopApplication();
    }

    /// <summary>Stops the host if the link ends before it. A host that does not stop in time is ended with its process, also one that was
    /// stopping already.</summary>
    private async Task StopAtEndAsync(Link link)
    {
        LinkEnd end = await link.Completion.ConfigureAwait(false);
        if (_lifetime.ApplicationStopping.IsCancellationRequested)
        {
            return;
        }

        _reasons.MainNodeAsked();
        if (end.IsClean)
        {
            _log.LogInformation("The main node has closed the link. The host stops.");
        }
        else
        {
            _log.LogError("The link to the main node ended: {Fault}: {Reason} The host stops.", end.Fault, end.Reason);
            Environment.ExitCode = WorkerHost.MainNodeGoneExitCode;
        }

        _lifetime.StopApplication();
    }
}
