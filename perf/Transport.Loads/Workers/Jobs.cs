using System.Globalization;
using Transport.Loads.Restores;
using Transport.Loads.Rivals;
using Transport.Loads.TaskHosts;

namespace Transport.Loads.Workers;

/// <summary>All jobs: those of <see cref="LinkJobs"/>, the rivals' ends, and what asks .NET about its own memory.</summary>
internal static class Jobs
{
    /// <summary>Makes a job.</summary>
    /// <param name="args">The job's name, the column if there is a choice, the address, and what the job itself takes.</param>
    /// <exception cref="LoadException">There is no such job.</exception>
    public static IJob Make(string[] args) => args[0] switch
    {
        "events" => new EventsJob(Column.Send(args[1], args[2])),
        "ping" => args[1] == Column.Raw ? new RawPingJob(args[2]) : new PingJob(args[2]),
        "caller" => new CallerJob(Column.Send(args[1], args[2])),
        "urgent" => new UrgentJob(args[1]),
        "slow" => new SlowJob(args[1], args[2]),
        "burst" => new BurstJob(WorkerLink.Connect(args[1])),
        "mixed" => new MixedJob(WorkerLink.Connect(args[1])),
        "receive-held" => HeldJob.Make(args[1]),
        "streams" => new StreamsJob(args[1], HeldJob.LengthOf(args[2])),
        "idle" => new IdleJob(),
        "idle-raw" => new RawIdleJob(),
        "requests" => new RequestsJob(),
        "codec" => new CodecJob(),
        "counts" => new CountsJob(args[1]),
        "collect" => new CollectJob(args[1], args[2]),
        "collect-main" => new CollectMainJob(args[1], args[2]),
        "journal" => new JournalJob(args[1]),
        "durable" => new DurableJob(WorkerLink.Connect(args[1])),
        "graph-send" => new GraphSenderJob(args[1]),
        "graph-read" => new GraphReaderJob(args[1]),
        "taskhost" => new HostJob(args[1], int.Parse(args[2], CultureInfo.InvariantCulture)),
        "spill" => new SpillJob(args[1], args[2]),
        _ => LinkJobs.Make(args),
    };
}
