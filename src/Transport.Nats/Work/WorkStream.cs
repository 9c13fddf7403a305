using System;
using System.Threading;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;

namespace Transport.Nats;

/// <summary>The work queue of a fleet on a server: found or created, and checked.</summary>
/// <remarks>Subjects: <c>SUBJECT.queue.POOL</c> are the queue's; <c>SUBJECT.caller.ID</c> and <c>SUBJECT.agent.ID</c> are core NATS, and
/// reach one process.</remarks>
internal sealed class WorkStream
{
    private readonly FleetStream _stream;

    private WorkStream(NatsJSContext jetStream, FleetStream stream, INatsJSStream found, int most) =>
        (JetStream, _stream, Queue, MostBytes) = (jetStream, stream, found, most);

    public NatsJSContext JetStream { get; }

    /// <summary>Gets the stream itself.</summary>
    public INatsJSStream Queue { get; }

    /// <summary>Gets the most bytes that a message may have.</summary>
    public int MostBytes { get; }

    /// <summary>Returns the subject of a pool's work.</summary>
    public static string QueueOf(FleetStream stream, string pool) => $"{stream.Subject}.queue.{pool}";

    /// <summary>Returns the subject of a caller.</summary>
    public static string CallerOf(FleetStream stream, Guid caller) => $"{stream.Subject}.caller.{Words.Of(caller)}";

    /// <summary>Returns the subject of an agent.</summary>
    public static string AgentOf(FleetStream stream, Guid agent) => $"{stream.Subject}.agent.{Words.Of(agent)}";

    /// <summary>Connects, and finds or creates the queue.</summary>
    /// <exception cref="FleetException">It cannot be used; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static Task<WorkStream> OpenAsync(INatsConnection connection, FleetStream stream, CancellationToken cancellationToken) =>
        FleetConnection.UseAsync(
            connection,
            async (jetStream, at, most) =>
            {
                string subject = QueueOf(stream, "*");
                var wanted = new StreamConfig
                {
                    Subjects = [subject], Retention = StreamConfigRetention.Workqueue, Discard = StreamConfigDiscard.New,
                };
                INatsJSStream found = await FleetConnection.FindAsync(jetStream, stream, wanted, at, cancellationToken)
                    .ConfigureAwait(false);
                FleetConnection.Check(
                    found.Info.Config, subject, (StreamConfigRetention.Workqueue, "a request is for one agent"), at);
                return new WorkStream(jetStream, stream, found, FleetConnection.MostBytes(found.Info.Config, most));
            },
            cancellationToken);

    /// <summary>Finds what a pool's agents pull from, or makes it.</summary>
    /// <param name="pool">The pool.</param>
    /// <param name="ackWait">After how long without a sign of its agent work goes to another, if it is made.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task<INatsJSConsumer> AgentsOfAsync(string pool, TimeSpan ackWait, CancellationToken cancellationToken)
    {
        string name = "agents-" + pool;
        try
        {
            return await JetStream.GetConsumerAsync(_stream.Name, name, cancellationToken).ConfigureAwait(false);
        }
        catch (NatsJSApiException e) when (e.Error.Code == FleetConnection.NotFound)
        {
            var config = new ConsumerConfig(name)
            {
                FilterSubject = QueueOf(_stream, pool),
                AckPolicy = ConsumerConfigAckPolicy.Explicit,
                AckWait = ackWait,
                MaxAckPending = 65_536,
            };
            return await JetStream.CreateOrUpdateConsumerAsync(_stream.Name, config, cancellationToken).ConfigureAwait(false);
        }
    }
}
