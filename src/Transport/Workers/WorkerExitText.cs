using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Transport;

/// <summary>An exit report as text for people.</summary>
internal static class WorkerExitText
{
    /// <summary>What a row of last packets begins with.</summary>
    public const string LastPackets = "last packets: ";

    /// <summary>How many types of packets without a handler are named.</summary>
    private const int MostTypes = 8;

    public static string Of(WorkerExit exit)
    {
        var text = new StringBuilder();
        text.AppendFormat(CultureInfo.InvariantCulture, "{0} (pid {1}, {2}) {3}{4}", exit.Node, exit.ProcessId, exit.FileName,
            exit.Cause, Lost(exit.Link));
        if (exit.FatalError is null && exit.Explanation is { } more)
        {
            text.Append(" (").Append(more).Append(')');
        }

        text.AppendFormat(CultureInfo.InvariantCulture, " after {0:0.0} s", exit.LifeTime.TotalSeconds);
        if (exit.CurrentActivity is { } doing)
        {
            text.Append(", on ").Append(doing);
        }

        if (exit.Link is { Receipt.Unhandled: > 0 and var unhandled })
        {
            text.Append("; ").Append(Packets(unhandled)).Append(" had no handler");
        }

        if (exit.Link is { Receipt.PeerUnhandled: > 0 and var without })
        {
            text.Append("; ").Append(Packets(without)).Append(" sent to it had no handler there");
        }

        if (exit.Link is { Receipt.PeerHandlerFailures: > 0 and var threw })
        {
            text.Append("; ").Append(Packets(threw))
                .Append(threw == 1 ? " sent to it failed in its handler" : " sent to it failed in their handlers");
        }

        if (exit.OutputFault is not null && exit.EndProblem is null)
        {
            text.Append("; its output was not taken to its end");
        }

        if (exit.Link is { Receipt.HandlerFailures: > 0 and var failures })
        {
            text.Append("; ").Append(Packets(failures)).Append(failures == 1 ? " failed in its handler" : " failed in their handlers");
        }

        return TerminalText.Line(text.ToString());
    }

    public static string Report(WorkerExit exit)
    {
        var lines = new StringBuilder(Of(exit));
        foreach (string line in exit.IsClean ? Output(exit).Concat(Unhandled(exit)).Concat(Failed(exit)) : Details(exit))
        {
            lines.Append("\n  ").Append(TerminalText.Line(line));
        }

        return lines.ToString();
    }

    public static List<string> Details(WorkerExit exit)
    {
        var lines = new List<string> { $"{exit.Executable}, lived {Seconds(exit.LifeTime)} until {Time(exit)}"
            + (exit.Process.CoreDumped ? ", core dumped" : string.Empty) };
        if (exit.SinceLastFrame is { } heard)
        {
            lines.Add($"last packet {(exit.SinceLastPacket is { } packet ? $"{Ms(packet)} before the end" : "none")}, last heard of "
                + $"{Ms(heard)} before the end");
        }

        if (exit.Process.OutOfMemoryKill == true)
        {
            lines.Add("memory: its control group counted a kill by the kernel's out-of-memory killer");
        }

        lines.Add(exit.Link is not { } link ? "never had a link" + (exit.LinkProblem is { } problem ? ": " + problem : string.Empty)
            : link.IsClean ? "link: closed" : $"link: {link.Fault}: {link.Reason}");
        if (exit.Link is { } counted)
        {
            lines.Add(Counts(exit, counted));
        }

        lines.AddRange(Output(exit));
        lines.AddRange(Unhandled(exit));
        lines.AddRange(Failed(exit));
        lines.AddRange(Held(exit));
        lines.AddRange(Packets(exit.LastPackets));
        lines.AddRange(exit.LastErrorLines.Select(line => "stderr: " + line));
        return lines;
    }

    private static IEnumerable<string> Output(WorkerExit exit) =>
        exit.OutputFault is { } unread ? ["its output was not taken to its end: " + ExceptionText.MessageOf(unread)] : [];

    private static IEnumerable<string> Unhandled(WorkerExit exit) =>
        exit.Link is { Receipt.Unhandled: > 0 and var unhandled }
            ? [string.Format(CultureInfo.InvariantCulture, "{0} had no handler: {1}", Packets(unhandled), string.Join(", ",
                exit.UnhandledByType.Take(MostTypes).Select(OfType)) + (exit.UnhandledByType.Count > MostTypes ? ", …" : string.Empty)
                    + (exit.FirstUnhandled is { } first ? $"; the first: {first}" : string.Empty)),
                .. exit.LeftLoops.Select(static one =>
                    $"{OfType(one)} had a loop (PacketRouter.ReadAllAsync), which was left before they were read")]
            : [];

    private static IEnumerable<string> Failed(WorkerExit exit) =>
        exit.Link is { Receipt.HandlerFailures: > 0 and var failures }
            ? [Packets(failures) + " failed: a handler or the store threw, or the body is malformed"]
            : [];

    /// <summary>What had not come to its end: a packet of the worker with its handler here, or with the store, and requests to it.</summary>
    private static IEnumerable<string> Held(WorkerExit exit)
    {
        foreach (KeyValuePair<string, long> unread in exit.Unread)
        {
            yield return $"{OfType(unread)} had come, and their loop (PacketRouter.ReadAllAsync) was not done with them";
        }

        if (exit.Link is { Receipt.InHandler: > 0 and var held } && held > exit.Unread.Sum(static one => one.Value))
        {
            yield return Packets(held) + " had come, and neither store nor handler had returned"
                + (exit.LastPackets.Count > 0 ? $": {exit.LastPackets[exit.LastPackets.Count - 1].Kind}" : string.Empty);
        }

        if (exit.Unanswered.Count > 0)
        {
            yield return "no response to " + string.Join(", ", exit.Unanswered.GroupBy(static name => name).Take(MostTypes)
                .Select(static same => same.Count() == 1 ? same.Key : FormattableString.Invariant($"{same.Count()} x {same.Key}")));
        }
    }

    private static string Packets(long count) =>
        string.Format(CultureInfo.InvariantCulture, count == 1 ? "{0:N0} packet" : "{0:N0} packets", count);

    private static string OfType(KeyValuePair<string, long> one) =>
        string.Format(CultureInfo.InvariantCulture, "{0} x {1}", one.Value, one.Key);

    /// <summary>
    /// What either side dropped or refused, for the first line: a clean end with losses must not look like one without. What was given up
    /// because the link broke is in the details.
    /// </summary>
    private static string Lost(LinkEnd? link)
    {
        if (link is null)
        {
            return string.Empty;
        }

        LinkReceipt receipt = link.Receipt;
        return Lost(receipt.PeerDropped, ", {0:N0} dropped") + Full(receipt.PeerRefused, string.Empty)
            + (link.IsClean ? Lost(receipt.Dropped, ", {0:N0} to it dropped") + Full(receipt.Refused, "sends to it ") : string.Empty);
    }

    private static string Lost(long packets, string format) =>
        packets == 0 ? string.Empty : string.Format(CultureInfo.InvariantCulture, format, packets);

    private static string Full(long times, string what) =>
        times == 1 ? $", {what}answered Full once" : Lost(times, $", {what}answered Full {{0:N0}} times");

    /// <summary>Whose packets are counted is said first: "sent" alone would be this side's in a receipt, and the worker's to a reader of
    /// of the worker.</summary>
    private static string Counts(WorkerExit exit, LinkEnd link)
    {
        LinkReceipt receipt = link.Receipt;
        return string.Format(
            CultureInfo.InvariantCulture,
            "packets of the worker: sent {0}, received {1}, handled {2}, unhandled {3}, failed {4}, lost {5}{6}, dropped {7}, answered Full {8}; "
                + "packets to it: sent {9}, acknowledged {10}, unhandled {11}, failed {12}, dropped {13}, answered Full {14}",
            Sent(link),
            receipt.Received,
            receipt.Handled,
            receipt.Unhandled,
            receipt.HandlerFailures,
            exit.PacketsLost?.ToString(CultureInfo.InvariantCulture) ?? $"unknown ({exit.LossUnknown})",
            receipt.Tail is null ? string.Empty : $" ({receipt.Tail})",
            receipt.PeerDropped,
            exit.PacketsRefused?.ToString(CultureInfo.InvariantCulture) ?? "unknown",
            receipt.Sent,
            receipt.Acknowledged,
            receipt.PeerUnhandled,
            receipt.PeerHandlerFailures,
            receipt.Dropped,
            receipt.Refused);
    }

    /// <summary>What the worker said, and that it only said so if the end does not bear it out.</summary>
    private static string Sent(LinkEnd link) => link.Receipt.PeerSent is not { } said
        ? $"unknown (no Goodbye{(link.Fault == TransportFault.PacketMalformed ? " that could be read" : string.Empty)})"
        : said.ToString(CultureInfo.InvariantCulture)
            + (link.IsClean || said == link.Receipt.Received ? string.Empty : " (as its Goodbye says)");

    /// <summary>A row of packets of one kind is one line: what matters is what came after what.</summary>
    private static IEnumerable<string> Packets(IReadOnlyList<LastPacket> packets)
    {
        for (int first = 0, next; first < packets.Count; first = next)
        {
            for (next = first + 1; next < packets.Count && packets[next].Kind == packets[first].Kind; next++)
            {
            }

            LastPacket last = packets[next - 1];
            int count = next - first;
            long bytes = packets.Skip(first).Take(count).Sum(packet => (long)packet.Bytes);
            string begun = Whole(packets[first].BeforeEnd) is var early && early == Whole(last.BeforeEnd) ? string.Empty : $"-{early} to ";
            yield return LastPackets + (count == 1 ? last.ToString()
                : $"{begun}-{Ms(last.BeforeEnd)} {count} x {last.Kind}, {bytes.ToString(CultureInfo.InvariantCulture)} B");
        }
    }

    private static string Seconds(TimeSpan span) => span.TotalSeconds.ToString("0.0 s", CultureInfo.InvariantCulture);

    private static string Whole(TimeSpan span) => span.TotalMilliseconds.ToString("0", CultureInfo.InvariantCulture);

    private static string Ms(TimeSpan span) => Whole(span) + " ms";

    private static string Time(WorkerExit exit) => exit.EndedAt.ToString("yyyy-MM-dd HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
}
