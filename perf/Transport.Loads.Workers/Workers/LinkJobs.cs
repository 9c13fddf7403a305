using Transport.Loads.Events;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Jobs that need nothing but this library, and so run on Mono too.</summary>
internal static class LinkJobs
{
    /// <summary>Makes a job.</summary>
    /// <param name="args">The job's name, the column if there is a choice, the address, and what the job itself takes.</param>
    /// <exception cref="LoadException">There is no such job here.</exception>
    public static IJob Make(string[] args) => args[0] switch
    {
        "link-events" => new EventsJob(new TransportSender(WorkerLink.Connect(args[1]))),
        "link-ping" => new PingJob(args[1]),
        "bodies" => new BodiesJob(WorkerLink.Connect(args[1]), BodySet.Make(args[2])),
        "receive" => ReceiveJob.Make(args[1]),
        "echo" => new EchoJob(),
        _ => throw new LoadException($"There is no job '{args[0]}'."),
    };
}
