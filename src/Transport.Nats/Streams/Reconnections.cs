using System;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;

namespace Transport.Nats;

/// <summary>Hears of a connection that was opened anew: the server may be another then, or one that has forgotten. Safe for any
/// thread.</summary>
internal sealed class Reconnections : IDisposable
{
    private readonly INatsConnection _connection;
    private readonly Lock _gate = new();
    private TaskCompletionSource _next = new(TaskCreationOptions.RunContinuationsAsynchronously);   // under the lock

    /// <summary>Initializes a new instance of the <see cref="Reconnections"/> class.</summary>
    /// <param name="connection">The connection.</param>
    public Reconnections(INatsConnection connection)
    {
        _connection = connection;
        _connection.ConnectionOpened += OnOpenedAsync;
    }

    /// <summary>Gets a task that completes when the connection is opened after this was read.</summary>
    public Task Next
    {
        get
        {
            lock (_gate)
            {
                return _next.Task;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _connection.ConnectionOpened -= OnOpenedAsync;

    private ValueTask OnOpenedAsync(object? sender, NatsEventArgs args)
    {
        TaskCompletionSource now;
        lock (_gate)
        {
            (now, _next) = (_next, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        }

        now.TrySetResult();
        return default;
    }
}
