using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;

namespace Transport.Nats;

/// <summary>The first use of a connection: that the server is there, has JetStream, and says in this library's words what is
/// wrong.</summary>
internal static class FleetConnection
{
    /// <summary>JetStream's error code of what is not there.</summary>
    public const int NotFound = 404;

    private const int LeastPayload = 1024;

    /// <summary>What of a message is not its data: the header with its id.</summary>
    private const int MessageHead = 192;

    /// <summary>Connects, and looks for what is needed.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="find">Finds or makes it, given JetStream and the server's address and limit of a message.</param>
    /// <param name="cancellationToken">Ends the wait for a connection.</param>
    /// <exception cref="FleetException">It cannot be used; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static async Task<T> UseAsync<T>(
        INatsConnection connection, Func<NatsJSContext, string, int, Task<T>> find, CancellationToken cancellationToken)
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
            return await find(new NatsJSContext(connection), at, server.MaxPayload).ConfigureAwait(false);
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

    /// <summary>Finds a stream, or makes it if it may be made.</summary>
    /// <param name="jetStream">JetStream.</param>
    /// <param name="stream">Which, and whether it may be made.</param>
    /// <param name="config">What it is made like; name, limits and replicas are set here.</param>
    /// <param name="at">The server's address.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="FleetException"><see cref="FleetFault.NoStream"/>.</exception>
    public static async Task<INatsJSStream> FindAsync(
        NatsJSContext jetStream, FleetStream stream, StreamConfig config, string at, CancellationToken cancellationToken)
    {
        try
        {
            return await jetStream.GetStreamAsync(stream.Name, request: null, cancellationToken).ConfigureAwait(false);
        }
        catch (NatsJSApiException e) when (e.Error.Code == NotFound && stream.Create)
        {
            (config.Name, config.MaxBytes, config.MaxAge, config.NumReplicas, config.Storage) =
                (stream.Name, stream.MaxBytes, stream.MaxAge, stream.Replicas, StreamConfigStorage.File);
            return await jetStream.CreateOrUpdateStreamAsync(config, cancellationToken).ConfigureAwait(false);
        }
        catch (NatsJSApiException e) when (e.Error.Code == NotFound)
        {
            throw Missing($"stream {stream.Name}", at, e);
        }
    }

    /// <summary>Returns the most bytes that the data of a stream's messages may have.</summary>
    /// <param name="config">The stream.</param>
    /// <param name="maxPayload">The server's limit of a message.</param>
    public static int MostBytes(StreamConfig config, int maxPayload) =>
        (config.MaxMsgSize > 0 ? Math.Min(config.MaxMsgSize, maxPayload) : maxPayload) - MessageHead;

    /// <summary>Makes the exception for what is not there.</summary>
    public static FleetException Missing(string what, string at, Exception cause) => new(
        FleetFault.NoStream, $"The server at {at} has no {what}: create it, or let it be created (FleetStream.Create, --create).", cause);

    /// <summary>Names each setting of a stream with which messages would be lost or refused.</summary>
    /// <param name="config">What it has.</param>
    /// <param name="subject">The subjects that it must take.</param>
    /// <param name="retention">What it must keep, and why in words.</param>
    /// <param name="at">The server's address.</param>
    /// <exception cref="FleetException"><see cref="FleetFault.StreamDiffers"/>.</exception>
    public static void Check(
        StreamConfig config, string subject, (StreamConfigRetention Kind, string Why) retention, string at)
    {
        List<string> wrong = [];
        if (config.Subjects?.Any(one => Covers(one, subject)) is not true)
        {
            wrong.Add($"subjects = {string.Join(' ', config.Subjects ?? [])}, expected {subject}");
        }

        if (config.Retention != retention.Kind)
        {
            wrong.Add($"retention = {config.Retention}, expected {retention.Kind}: {retention.Why}");
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
                $"The stream {config.Name} of the server at {at} cannot be used: {string.Join("; ", wrong)}.");
        }
    }

    /// <summary>Returns what is wrong, on one line.</summary>
    public static string Because(Exception e) =>
        string.Join(": ", Chain(e).Select(one => TerminalText.Line(one.Message)).Distinct(StringComparer.Ordinal));

    /// <summary>Returns where a connection leads to, without the password that its address may have.</summary>
    private static string Address(INatsConnection connection) => string.Join(", ", connection.Opts.Url.Split(',')
        .Select(url => url[(url.LastIndexOf('@') + 1)..]));

    /// <summary>Whether a stream's subject takes all of a fleet's.</summary>
    private static bool Covers(string subject, string wanted) =>
        subject == wanted || (subject.EndsWith('>') && wanted.StartsWith(subject[..^1], StringComparison.Ordinal));

    private static IEnumerable<Exception> Chain(Exception? e)
    {
        for (; e is not null; e = e.InnerException)
        {
            yield return e;
        }
    }
}
