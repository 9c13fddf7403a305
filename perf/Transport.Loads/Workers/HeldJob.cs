using System.Globalization;
using System.Threading;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>A receiving end that also says what memory it holds: one more order, <c>held</c>.</summary>
internal sealed class HeldJob(ReceiveJob job) : IJob
{
    /// <summary>The word for packets that are read as streams; behind it their bytes.</summary>
    public const string Streams = "streams:";

    private const int Settle = 2_500;   // ms; a link gives back what it does not need when it is quiet

    private readonly ManualResetEventSlim _never = new();

    /// <summary>Makes the job.</summary>
    /// <param name="what">As for <see cref="ReceiveJob.Make"/>, or <see cref="Streams"/> with a number.</param>
    public static HeldJob Make(string what)
    {
        if (!what.StartsWith(Streams, System.StringComparison.Ordinal))
        {
            return new HeldJob(ReceiveJob.Make(what));
        }

        var sink = new StreamSink(LengthOf(what));
        return new HeldJob(new ReceiveJob(sink, new TransportReceiver(
            _ => new PacketRouter().OnRaw(BodySet.Type, packet => sink.TakeAsync(packet.OpenStream())), sink.Fail,
            StreamsJob.MaxPacketBytes)));
    }

    /// <summary>Gets the length of a stream.</summary>
    public static long LengthOf(string what) => long.Parse(what[Streams.Length..], CultureInfo.InvariantCulture);

    public string Run(string[] order)
    {
        if (order[0] != "held")
        {
            return job.Run(order);
        }

        _never.Wait(Settle);
        return ProcessState.PrivateBytesHeld().ToString(CultureInfo.InvariantCulture);
    }

    public void Dispose()
    {
        job.Dispose();
        _never.Dispose();
    }
}
