using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;

namespace Transport.MSBuild;

/// <summary>The link of one build to its collector. Events never wait: what finds no capacity is dropped and counted. One thread.</summary>
internal sealed class EventStream
{
    /// <summary>Nobody was named, and nobody is there.</summary>
    public const string NoneRuns = "no collector of this user is running (transport collect), and none is named (connect=FILE).";

    /// <summary>What stands before the name of the build in a part's <see cref="LinkOptions.App"/>.</summary>
    internal const string AppPrefix = "msbuild/";

    /// <summary>The part that is the main process.</summary>
    internal const string MainPart = "main";

    /// <summary>A whole build of 50,000 events has 14 MB encoded without tables: a collector may stand still for many seconds before
    /// anything is lost.</summary>
    private const long QueueBytes = 64L << 20;

    /// <summary>How long until the file is read again: a collector writes it anew for each connection.</summary>
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(20);

    /// <summary>The least that a link may be given to connect: with less left there is no further try.</summary>
    private static readonly TimeSpan LeastTry = TimeSpan.FromMilliseconds(100);

    private readonly Link _link;
    private readonly TailMap? _tail;
    private long _taken, _full;

    private EventStream(Link link, TailMap? tail)
    {
        _link = link;
        _tail = tail;
        link.Start(new PacketRouter());   // reading is what brings acknowledgments; nothing else comes
    }

    /// <summary>Connects to the collector that was named, or to the newest of this user.</summary>
    /// <param name="settings">The logger's parameters.</param>
    /// <param name="part">The part of the build that this is, for a build of several (<see cref="LoggerSettings.Build"/>).</param>
    /// <param name="problem">Why there is no stream.</param>
    /// <returns>The stream; null: there is no collector.</returns>
    public static EventStream? TryConnect(LoggerSettings settings, string part, out string? problem)
    {
        string? file = settings.ConnectionFile;
        try
        {
            file ??= RunningNotes.Collector();
            problem = file is null ? NoneRuns : null;
            return file is null ? null : ConnectAsync(file, settings, part).GetAwaiter().GetResult();
        }
        catch (TransportException e)
        {
            problem = e.Message;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException or NotSupportedException)
        {
            problem = file is null ? e.Message : $"{file}: {e.Message}";
        }

        return null;
    }

    /// <summary>Connects to the collector.</summary>
    /// <exception cref="TransportException">It is not there, lets nobody in, or does not answer.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be read.</exception>
    /// <exception cref="FormatException">The file is none.</exception>
    private static async Task<EventStream> ConnectAsync(string file, LoggerSettings settings, string part)
    {
        TimeSpan wait = settings.Wait;
        var clock = Stopwatch.StartNew();
        while (true)
        {
            var connection = ConnectionFile.Read(file);
            TimeSpan left = wait - clock.Elapsed;
            TailMap? tail = connection.Tail is { } path ? TailMap.TryOpen(path, out _) : null;
            try
            {
                var options = new LinkOptions
                {
                    ConnectTimeout = left > LeastTry ? left : LeastTry,
                    HandshakeTimeout = left > LeastTry ? left : LeastTry,
                    MaxQueuedBytes = QueueBytes,
                    NormalPolicy = LanePolicy.Drop,
                };
                if (settings.Build is { } build)
                {
                    (options.App, options.Node) = (AppPrefix + build, part);
                }

                Link link = await LinkConnector.ConnectAsync(connection.Endpoint, connection.Secret, options, tail, default)
                    .ConfigureAwait(false);
                return new EventStream(link, tail);
            }
            catch (TransportException e) when (e.Fault == TransportFault.Rejected && wait - clock.Elapsed > LeastTry + Again)
            {
                // Another build has used the secret first: a moment later the file has the next one.
                tail?.Unmap();
                await Task.Delay(Again).ConfigureAwait(false);
            }
            catch
            {
                tail?.Unmap();
                throw;
            }
        }
    }

    /// <summary>Queues an event. The report of the end counts those that were not taken.</summary>
    public void Send(BuildEvent one)
    {
        SendResult result = _link.TrySend(BuildEvent.PacketType, one);
        _taken += result == SendResult.Queued ? 1 : 0;
        _full += result == SendResult.Full ? 1 : 0;
    }

    /// <summary>Sends what is queued and ends the link.</summary>
    /// <param name="events">How many events the build had.</param>
    /// <param name="fault">Why the first event that was not sent was not; null: all were.</param>
    /// <param name="wait">How long that may take.</param>
    /// <returns>How many of the events the collector has, and how the link ended.</returns>
    public async Task<StreamReport> CloseAsync(long events, string? fault, TimeSpan wait)
    {
        LinkEnd end = await _link.CloseAsync("the build has ended", wait).ConfigureAwait(false);
        _tail?.Unmap();
        return new StreamReport(events, _taken, _full, end, fault);
    }
}
