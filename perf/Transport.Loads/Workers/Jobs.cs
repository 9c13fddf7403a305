using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <content>Jobs of the whole program: the rivals' ends, and what asks .NET about its own memory.</content>
internal static partial class LinkJobs
{
    static partial void Other(string[] args, ref IJob? job) => job = args[0] switch
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
        "spill" => new SpillJob(args[1], args[2]),
        _ => null,
    };
}
