using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>Receives the journals that shippers send to a stream of NATS JetStream: each becomes a journal in a folder, with every packet
/// once and in order, which all that reads journals can read at once. Safe for any thread.</summary>
/// <remarks>A position counts as received once the packet is flushed here; only then the message is acknowledged, and the shipper
/// told.</remarks>
public sealed class JournalReceiver : IAsyncDisposable
{
    /// <summary>Hidden: <c>builds/*</c> of a shell is all journals.</summary>
    private const string LockFile = ".receiver.lock";

    private readonly INatsConnection _connection;
    private readonly ReceiverOptions _options;
    private readonly ReceiverBooks _books;
    private readonly FileStream _lock;
    private readonly Reconnections _reconnections;
    private readonly CancellationTokenSource _ended = new();
    private readonly string _own = Guid.NewGuid().ToString("N");

    private JournalReceiver(INatsConnection connection, string folder, ReceiverOptions options)
    {
        (_connection, _options) = (connection, options);
        _lock = Hold(folder);
        _reconnections = new Reconnections(connection);
        _books = new ReceiverBooks(folder, options);
        Completion = Task.Run(RunAsync);
    }

    /// <summary>Gets where it stands.</summary>
    public ReceiverStatus Status => _books.Status;

    /// <summary>Gets the end: the receiver was disposed of.</summary>
    /// <exception cref="FleetException">From the task: <see cref="FleetFault.InUse"/>: another receiver has taken its name;
    /// <see cref="FleetFault.OriginUnknown"/>; or no server could be used for <see cref="ReceiverOptions.GiveUpAfter"/>.</exception>
    /// <exception cref="JournalException">From the task: a journal here takes nothing more. What was not acknowledged comes
    /// again.</exception>
    /// <exception cref="IOException">From the task: the folder cannot be written.</exception>
    public Task Completion { get; }

    /// <summary>Starts to receive.</summary>
    /// <param name="connection">The connection; the caller's, not disposed of.</param>
    /// <param name="folder">Where the journals are: a directory each. Made if it is not there; its parent must be.</param>
    /// <param name="options">The options; null: all defaults.</param>
    /// <returns>The receiver. It does not need a server to start.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="connection"/> or <paramref name="folder"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used.</exception>
    /// <exception cref="FleetException"><see cref="FleetFault.InUse"/>: the folder has a receiver.</exception>
    /// <exception cref="IOException">The folder cannot be made or written.</exception>
    /// <exception cref="UnauthorizedAccessException">As above.</exception>
    public static JournalReceiver Start(INatsConnection connection, string folder, ReceiverOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(folder);
        return new JournalReceiver(connection, Path.GetFullPath(folder), (options ?? new ReceiverOptions()).Checked());
    }

    /// <summary>Ends the receiver and closes its journals. What was not acknowledged by then comes again.</summary>
    /// <returns>Completes when it has ended; never throws.</returns>
    public async ValueTask DisposeAsync()
    {
        if (!_ended.IsCancellationRequested)
        {
            await _ended.CancelAsync().ConfigureAwait(false);
        }

        await Completion.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private static FileStream Hold(string folder)
    {
        if (!Directory.Exists(folder))
        {
            if (OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(folder);
            }
            else
            {
                Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }
        }

        string path = Path.Combine(folder, LockFile);
        try
        {
            return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e) when (e.GetType() == typeof(IOException) && File.Exists(path))
        {
            throw new FleetException(FleetFault.InUse, $"{folder} has a receiver already: {path} is held. Receive into another folder.", e);
        }
    }

    private async Task RunAsync()
    {
        try
        {
            await Tries.RunAsync(
                ReceiveAsync, _books.Server, _reconnections, _options.GiveUpAfter, _options.TimeProvider, _ended.Token)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_ended.IsCancellationRequested)
        {
            // Disposed of.
        }
        catch (Exception e) when (e is JournalException or IOException or FleetException)
        {
            _books.Server.Fails(e.Message);
            throw;
        }
        finally
        {
            _reconnections.Dispose();
            await _books.DisposeAsync().ConfigureAwait(false);
            await _lock.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<bool> ReceiveAsync()
    {
        FleetServer server = await FleetServer.OpenAsync(_connection, _options.Stream, _ended.Token).ConfigureAwait(false);
        var session = new ReceivingSession(server, _options, _books, _own);
        return await _reconnections.RunAsync(session.RunAsync, _ended.Token).ConfigureAwait(false);
    }
}
