using System;
using System.Buffers;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>Follows a journal and ships its packets, in blocks, to a stream of NATS JetStream. What was written before and what is being
/// written go the same way: a server that is away only makes the backlog longer, and nobody who appends waits for it. Safe for any
/// thread.</summary>
/// <remarks>A shipper that begins anew goes on behind what the stream has. What the receiver misses it asks for, and gets from the
/// journal as long as that has it: keep the journal until <see cref="ShipperStatus.Received"/> has passed, or let the shipper compact it
/// (<see cref="ShipperOptions.Compacts"/>).</remarks>
public sealed class JournalShipper : IAsyncDisposable
{
    private const string LockFile = "shipper.lock";

    private static readonly TimeSpan CompactsEvery = TimeSpan.FromSeconds(5);

    private readonly INatsConnection _connection;
    private readonly string _directory;
    private readonly PacketJournal? _open;
    private readonly ShipperOptions _options;
    private readonly ShipperLedger _ledger;
    private readonly FileStream? _lock;
    private readonly Reconnections _reconnections;
    private readonly ArrayPool<byte> _pool = ArrayPool<byte>.Create(1 << 20, 256);   // of one flow: as many blocks as the window has
    private readonly CancellationTokenSource _ended = new();
    private long _compacted;   // of the timer alone

    private JournalShipper(INatsConnection connection, string directory, PacketJournal? open, ShipperOptions options)
    {
        (_connection, _directory, _open, _options) = (connection, directory, open, options);
        _ledger = new ShipperLedger(options);
        _lock = Hold(directory);
        _reconnections = new Reconnections(connection);
        Completion = Task.Run(RunAsync);
    }

    /// <summary>Gets where it stands.</summary>
    public ShipperStatus Status => _ledger.Status;

    /// <summary>Gets the end: the journal was closed (or its writer is gone) and all of it is shipped, or the shipper was disposed
    /// of.</summary>
    /// <exception cref="FleetException">From the task: no server could be used for <see cref="ShipperOptions.GiveUpAfter"/>.</exception>
    /// <exception cref="JournalException">From the task: the journal cannot be read.</exception>
    public Task Completion { get; }

    /// <summary>Starts to ship a journal that this process writes.</summary>
    /// <param name="connection">The connection; the caller's, not disposed of.</param>
    /// <param name="journal">The journal.</param>
    /// <param name="options">The options; null: all defaults.</param>
    /// <returns>The shipper. It does not need a server to start.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="connection"/> or <paramref name="journal"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used.</exception>
    /// <exception cref="FleetException"><see cref="FleetFault.InUse"/>: the journal has a shipper.</exception>
    public static JournalShipper Start(INatsConnection connection, PacketJournal journal, ShipperOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(journal);
        return new JournalShipper(connection, journal.Directory, journal, (options ?? new ShipperOptions()).Checked());
    }

    /// <summary>Starts to ship the journal in a directory, which another process may be writing.</summary>
    /// <param name="connection">The connection; the caller's, not disposed of.</param>
    /// <param name="directory">The directory.</param>
    /// <param name="options">The options; null: all defaults.</param>
    /// <returns>The shipper. It does not need a server to start.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="connection"/> or <paramref name="directory"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used, or <see cref="ShipperOptions.Compacts"/> is set: only who writes a
    /// journal compacts it.</exception>
    /// <exception cref="JournalException">There is no journal in the directory, or it cannot be read.</exception>
    /// <exception cref="FleetException"><see cref="FleetFault.InUse"/>: the journal has a shipper.</exception>
    public static JournalShipper Start(INatsConnection connection, string directory, ShipperOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(directory);
        ShipperOptions used = (options ?? new ShipperOptions()).Checked();
        if (used.Compacts)
        {
            throw new ArgumentException(
                "Compacts = true, allowed: false for the journal in a directory, which only who writes it compacts.", nameof(options));
        }

        JournalReader.Open(directory).Dispose();
        return new JournalShipper(connection, directory, null, used);
    }

    /// <summary>Ends the shipper. What the server has not acknowledged by then is shipped by the next one.</summary>
    /// <returns>Completes when it has ended; never throws.</returns>
    public async ValueTask DisposeAsync()
    {
        if (!_ended.IsCancellationRequested)
        {
            await _ended.CancelAsync().ConfigureAwait(false);
        }

        await Completion.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Takes the journal for this shipper; a folder in which nothing may be written is shipped without.</summary>
    private static FileStream? Hold(string directory)
    {
        string path = Path.Combine(directory, LockFile);
        try
        {
            return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (UnauthorizedAccessException)
        {
            return null;
        }
        catch (IOException e) when (e is not DirectoryNotFoundException)
        {
            throw new FleetException(FleetFault.InUse, $"The journal in {directory} is being shipped already: {path} is held.", e);
        }
    }

    private async Task RunAsync()
    {
        Func<ShipperStatus> status = () => Status;
        FarmMeter.Live.Add(status);
        try
        {
            await Tries.RunAsync(
                ShipAsync, _ledger.Server, _reconnections, _options.GiveUpAfter, _options.TimeProvider, _ended.Token)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_ended.IsCancellationRequested)
        {
            // Disposed of.
        }
        finally
        {
            FarmMeter.Live.Remove(status);
            _reconnections.Dispose();
            if (_lock is not null)
            {
                await _lock.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private async Task<bool> ShipAsync()
    {
        if (await WaitForIdAsync().ConfigureAwait(false) is not { } journal)
        {
            return true;   // it was closed without a packet
        }

        _ledger.Is(journal);
        FleetServer server = await FleetServer.OpenAsync(_connection, _options.Stream, _ended.Token).ConfigureAwait(false);
        var session = new ShippingSession(Open, journal, server, _options, _ledger, _pool);
        using ITimer? compacting = _options.Compacts
            ? _options.TimeProvider.CreateTimer(_ => Compact(), null, CompactsEvery, CompactsEvery) : null;
        try
        {
            return await _reconnections.RunAsync(session.RunAsync, _ended.Token).ConfigureAwait(false);
        }
        catch (JournalException e) when (e.Fault == JournalFault.Compacted)
        {
            return false;   // the journal has dropped what comes next: the next session says so
        }
    }

    private async Task<Guid?> WaitForIdAsync()
    {
        if (_open is not null)
        {
            return _open.Id;
        }

        using JournalReader reader = Open(0);
        while (!reader.TryRead(out _) && reader.Id == Guid.Empty)
        {
            if (!await reader.WaitAsync(_ended.Token).ConfigureAwait(false))
            {
                return null;
            }
        }

        return reader.Id;
    }

    private JournalReader Open(long from)
    {
        var options = new JournalReaderOptions { From = from, Follow = true, TimeProvider = _options.TimeProvider };
        try
        {
            return _open is { } open ? open.OpenReader(options) : JournalReader.Open(_directory, options);
        }
        catch (JournalException e) when (e.Fault == JournalFault.Closed)
        {
            return JournalReader.Open(_directory, options);   // it was closed meanwhile, and is read to its end
        }
    }

    /// <summary>Drops the segments of which everything is shipped; a segment that cannot be dropped now is tried again.</summary>
    private void Compact()
    {
        long shipped = _ledger.Shipped;
        if (shipped <= _compacted)
        {
            return;
        }

        try
        {
            _open!.Compact(new JournalRetention { Watermark = shipped + 1 });
            _compacted = shipped;
        }
        catch (JournalException e)
        {
            _options.Report?.Invoke($"what is shipped cannot be dropped from the journal: {e.Message}");
        }
    }
}
