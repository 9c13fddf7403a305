using Transport.Loads.Events;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Finds the job that a worker process was started for.</summary>
internal static class Jobs
{
    /// <summary>Makes a job.</summary>
    /// <param name="args">The job's name, the column where there is a choice, the address, and what the job itself takes.</param>
    public static IJob Make(string[] args) => args[0] switch
    {
        "events" => new EventsJob(Column.Send(args[1], args[2])),
        "bodies" => new BodiesJob(WorkerLink.Connect(args[1]), BodySet.Make(args[2])),
        "ping" => args[1] == Column.Raw ? new RawPingJob(args[2]) : new PingJob(args[2]),
        "caller" => new CallerJob(Column.Send(args[1], args[2])),
        "urgent" => new UrgentJob(args[1]),
        "slow" => new SlowJob(args[1], args[2]),
        "burst" => new BurstJob(WorkerLink.Connect(args[1])),
        "mixed" => new MixedJob(WorkerLink.Connect(args[1])),
        "idle" => new IdleJob(),
        _ => throw new LoadException($"There is no job '{args[0]}'."),
    };
}
