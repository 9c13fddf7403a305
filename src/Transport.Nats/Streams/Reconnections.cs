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
    private readonly Signal _opened = new();
    private readonly ServerState? _server;

    /// <summary>Initializes a new instance of the <see cref="Reconnections"/> class.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="server">Told that the connection is lost; null: whoever uses it finds out.</param>
    public Reconnections(INatsConnection connection, ServerState? server = null)
    {
        (_connection, _server) = (connection, server);
        _connection.ConnectionOpened += OnOpenedAsync;
        _connection.ConnectionDisconnected += OnLostAsync;
    }

    /// <summary>Gets a task that completes when the connection is opened after this was read.</summary>
    public Task Next => _opened.Next;

    /// <summary>Runs something for as long as the connection is the same; all its waits end with that: what was on its way may be
    /// lost.</summary>
    /// <param name="work">What to run.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>What it returns; false if the connection was opened anew meanwhile.</returns>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public async Task<bool> RunAsync(Func<CancellationToken, Task<bool>> work, CancellationToken cancellationToken)
    {
        using var same = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task opened = Next;
        Task ending = EndAsync(opened, same);
        try
        {
            return await work(same.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (opened.IsCompleted && !cancellationToken.IsCancellationRequested)
        {
            return false;
        }
        finally
        {
            await same.CancelAsync().ConfigureAwait(false);
            await ending.ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _connection.ConnectionOpened -= OnOpenedAsync;
        _connection.ConnectionDisconnected -= OnLostAsync;
    }

    private static async Task EndAsync(Task opened, CancellationTokenSource same)
    {
        await opened.WaitAsync(same.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await same.CancelAsync().ConfigureAwait(false);
    }

    private ValueTask OnLostAsync(object? sender, NatsEventArgs args)
    {
        _server?.Fails("The connection to the server is lost, and tried again.");
        return default;
    }

    private ValueTask OnOpenedAsync(object? sender, NatsEventArgs args)
    {
        _opened.Raise();
        return default;
    }
}
