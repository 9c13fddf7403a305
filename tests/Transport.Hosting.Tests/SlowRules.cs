using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace Transport.Hosting.Tests;

/// <summary>Rules of logging whose reload is in the middle of its work when the host's services have stopped.</summary>
internal sealed class SlowRules : IOptionsChangeTokenSource<LoggerFilterOptions>, IHostedLifecycleService
{
    private readonly ManualResetEventSlim _stopped = new();
    private readonly ManualResetEventSlim _never = new();
    private readonly TaskCompletionSource _reloading = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private CancellationTokenSource _changed = new();
    private bool _isReload;

    public Task Reloading => _reloading.Task;

    public string? Name => Options.DefaultName;

    public IChangeToken GetChangeToken()
    {
        if (_isReload)
        {
            _isReload = false;
            _reloading.SetResult();
            _ = _stopped.Wait(TimeSpan.FromSeconds(30));
            _ = _never.Wait(200);   // until what stops next has begun
        }

        return new CancellationChangeToken(_changed.Token);
    }

    public void Reload()
    {
        CancellationTokenSource changed = Interlocked.Exchange(ref _changed, new CancellationTokenSource());
        _isReload = true;
        changed.Cancel();
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken)
    {
        _stopped.Set();
        return Task.CompletedTask;
    }
}
