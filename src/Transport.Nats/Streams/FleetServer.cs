using System;
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
    public static Task<FleetServer> OpenAsync(INatsConnection connection, FleetStream stream, CancellationToken cancellationToken) =>
        FleetConnection.UseAsync(
            connection, (jetStream, at, most) => FindAsync(jetStream, stream, at, most, cancellationToken), cancellationToken);

    private static async Task<FleetServer> FindAsync(
        NatsJSContext jetStream, FleetStream stream, string at, int most, CancellationToken cancellationToken)
    {
        var wanted = new StreamConfig
        {
            Subjects = [stream.AllSubjects], Retention = StreamConfigRetention.Limits, Discard = StreamConfigDiscard.Old,
        };
        StreamConfig config =
            (await FleetConnection.FindAsync(jetStream, stream, wanted, at, cancellationToken).ConfigureAwait(false)).Info.Config;
        FleetConnection.Check(
            config, stream.AllSubjects, (StreamConfigRetention.Limits, "a block must stay until it was received"), at);
        INatsKVStore positions = await FindPositionsAsync(jetStream, stream, at, cancellationToken).ConfigureAwait(false);
        return new FleetServer(jetStream, positions, FleetConnection.MostBytes(config, most));
    }

    private static async Task<INatsKVStore> FindPositionsAsync(
        NatsJSContext jetStream, FleetStream stream, string at, CancellationToken cancellationToken)
    {
        var buckets = new NatsKVContext(jetStream);
        try
        {
            return await buckets.GetStoreAsync(stream.Bucket, cancellationToken).ConfigureAwait(false);
        }
        catch (NatsJSApiException e) when (e.Error.Code == FleetConnection.NotFound && stream.Create)
        {
            return await buckets.CreateStoreAsync(
                new NatsKVConfig(stream.Bucket) { History = 1, MaxAge = stream.MaxAge * 2, NumberOfReplicas = stream.Replicas },
                cancellationToken)
                .ConfigureAwait(false);
        }
        catch (NatsJSApiException e) when (e.Error.Code == FleetConnection.NotFound)
        {
            throw FleetConnection.Missing($"bucket {stream.Bucket}", at, e);
        }
    }
}
