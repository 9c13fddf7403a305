using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using NATS.Client.KeyValueStore;

namespace Transport.Nats;

/// <summary>A fleet's stream and bucket of positions on a server: found or created, and checked.</summary>
internal sealed class FleetServer
{
    /// <summary>JetStream's error code of what is not there.</summary>
    public const int NotFound = 404;

    private const int LeastPayload = 1024;

    /// <summary>What of a message is not the block: the header with its id.</summary>
    private const int MessageHead = 192;

    private FleetServer(NatsJSContext jetStream, INatsKVStore positions, int mostBlock) =>
        (JetStream, Positions, MostBlock) = (jetStream, positions, mostBlock);

    public NatsJSContext JetStream { get; }

    /// <summary>Gets the bucket: by journal, up to where it was received.</summary>
    public INatsKVStore Positions { get; }

    /// <summary>Gets the most bytes that a block may have, header included.</summary>
    public int MostBlock { get; }

    /// <summary>Connects, and finds or creates what a fleet needs.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="stream">What is needed.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="FleetException">It cannot be used; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static async Task<FleetServer> OpenAsync(
        INatsConnection connection, FleetStream stream, CancellationToken cancellationToken)
    {
        string at = Address(connection);
        try
        {
            await connection.ConnectAsync().AsTask().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (NatsException e)
        {
            throw new FleetException(FleetFault.ConnectFailed, $"No server of NATS can be used at {at}: {Because(e)}", e);
        }

        if (connection.ServerInfo is not { JetStreamAvailable: true } server)
        {
            throw new FleetException(FleetFault.NoJetStream, $"The server at {at} has no JetStream: start it with it (nats-server -js).");
        }

        if (server.MaxPayload < LeastPayload)
        {
            throw new FleetException(FleetFault.PayloadTooSmall,
                $"The server at {at} takes messages of {server.MaxPayload} bytes at most, and a block needs {LeastPayload}: raise its "
                    + "max_payload.");
        }

        try
        {
            var jetStream = new NatsJSContext(connection);
            StreamInfo info = await FindAsync(jetStream, stream, at, cancellationToken).ConfigureAwait(false);
            Check(info.Config, stream, at);
            INatsKVStore positions = await FindPositionsAsync(jetStream, stream, at, cancellationToken).ConfigureAwait(false);
            int most = info.Config.MaxMsgSize > 0 ? Math.Min(info.Config.MaxMsgSize, server.MaxPayload) : server.MaxPayload;
            return new FleetServer(jetStream, positions, most - MessageHead);
        }
        catch (NatsJSApiException e)
        {
            throw new FleetException(FleetFault.NoJetStream,
                $"JetStream of the server at {at} refused ({e.Error.Code}): {e.Error.Description}.", e);
        }
        catch (Exception e) when (e is NatsException or TimeoutException)
        {
            throw new FleetException(FleetFault.ConnectFailed, $"The server at {at} did not answer: {Because(e)}", e);
        }
    }

    /// <summary>Returns what is wrong, on one line.</summary>
    public static string Because(Exception e) =>
        string.Join(": ", Chain(e).Select(one => TerminalText.Line(one.Message)).Distinct(StringComparer.Ordinal));

    /// <summary>Returns where a connection leads to, without the password that its address may have.</summary>
    private static string Address(INatsConnection connection) => string.Join(", ", connection.Opts.Url.Split(',')
        .Select(url => url[(url.LastIndexOf('@') + 1)..]));

    private static IEnumerable<Exception> Chain(Exception? e)
    {
        for (; e is not null; e = e.InnerException)
        {
            yield return e;
        }
    }

    private static async Task<StreamInfo> FindAsync(
        NatsJSContext jetStream, FleetStream stream, string at, CancellationToken cancellationToken)
    {
        try
        {
            return (await jetStream.GetStreamAsync(stream.Name, request: null, cancellationToken).ConfigureAwait(false)).Info;
        }
        catch (NatsJSApiException e) when (e.Error.Code == NotFound && stream.Create)
        {
            var config = new StreamConfig(stream.Name, [stream.AllSubjects])
            {
                MaxBytes = stream.MaxBytes,
                MaxAge = stream.MaxAge,
                NumReplicas = stream.Replicas,
                Storage = StreamConfigStorage.File,
                Retention = StreamConfigRetention.Limits,
                Discard = StreamConfigDiscard.Old,
            };
            return (await jetStream.CreateOrUpdateStreamAsync(config, cancellationToken).ConfigureAwait(false)).Info;
        }
        catch (NatsJSApiException e) when (e.Error.Code == NotFound)
        {
            throw Missing($"stream {stream.Name}", at, e);
        }
    }

    private static async Task<INatsKVStore> FindPositionsAsync(
        NatsJSContext jetStream, FleetStream stream, string at, CancellationToken cancellationToken)
    {
        var buckets = new NatsKVContext(jetStream);
        try
        {
            return await buckets.GetStoreAsync(stream.Bucket, cancellationToken).ConfigureAwait(false);
        }
        catch (NatsJSApiException e) when (e.Error.Code == NotFound && stream.Create)
        {
            return await buckets.CreateStoreAsync(
                new NatsKVConfig(stream.Bucket) { History = 1, MaxAge = stream.MaxAge * 2, NumberOfReplicas = stream.Replicas },
                cancellationToken)
                .ConfigureAwait(false);
        }
        catch (NatsJSApiException e) when (e.Error.Code == NotFound)
        {
            throw Missing($"bucket {stream.Bucket}", at, e);
        }
    }

    private static FleetException Missing(string what, string at, Exception cause) => new(
        FleetFault.NoStream, $"The server at {at} has no {what}: create it, or let it be created (FleetStream.Create, --create).", cause);

    /// <summary>Whether a stream's subject takes all of a fleet's.</summary>
    private static bool Covers(string subject, string wanted) =>
        subject == wanted || (subject.EndsWith('>') && wanted.StartsWith(subject[..^1], StringComparison.Ordinal));

    /// <summary>Names each setting with which blocks would be lost or refused.</summary>
    private static void Check(StreamConfig config, FleetStream stream, string at)
    {
        List<string> wrong = [];
        if (config.Subjects?.Any(subject => Covers(subject, stream.AllSubjects)) is not true)
        {
            wrong.Add($"subjects = {string.Join(' ', config.Subjects ?? [])}, expected {stream.AllSubjects}");
        }

        if (config.Retention != StreamConfigRetention.Limits)
        {
            wrong.Add($"retention = {config.Retention}, expected Limits: a block must stay until it was received");
        }

        if (config.Storage != StreamConfigStorage.File)
        {
            wrong.Add($"storage = {config.Storage}, expected File");
        }

        if (config.MaxMsgSize is > 0 and < LeastPayload)
        {
            wrong.Add($"max_msg_size = {config.MaxMsgSize}, expected {LeastPayload} or more");
        }

        if (config.NoAck)
        {
            wrong.Add("no_ack = true, expected false");
        }

        if (wrong.Count > 0)
        {
            throw new FleetException(FleetFault.StreamDiffers,
                $"The stream {stream.Name} of the server at {at} cannot be used: {string.Join("; ", wrong)}.");
        }
    }
}
