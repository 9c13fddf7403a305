using System;
using System.Collections.Concurrent;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using SpillWhileAway;
using Transport;
using Transport.Journal;

// Sender and receiver are two processes in a real program; here they are one, so that it fits a page.
string directory = Path.Combine(Path.GetTempPath(), "transport-spill-" + Guid.NewGuid().ToString("n"));
var handled = new ConcurrentQueue<int>();
var receiver = new SpillReceiver();   // drops what it has seen; one for all links of a main node
LinkListener? listener = null;

// Where the main node is now, with a new secret for each attempt; null while it is away.
Task<SpillTarget?> FindMainNodeAsync(SpillAttempt attempt, CancellationToken cancellationToken)
{
    if (Volatile.Read(ref listener) is not { } current)
    {
        return Task.FromResult<SpillTarget?>(null);
    }

    LinkTicket ticket = current.Expect("sender");
    _ = AcceptAsync(ticket);
    return Task.FromResult<SpillTarget?>(new SpillTarget(current.Endpoint, ticket.Secret));
}

async Task AcceptAsync(LinkTicket ticket) =>
    (await ticket.WaitForLinkAsync()).Start(receiver.AddTo(new PacketRouter().On<Event>(e => handled.Enqueue(e.Number))));

var options = new SpillOptions
{
    MinBackoff = TimeSpan.FromMilliseconds(10),
    MaxBackoff = TimeSpan.FromMilliseconds(100),
    OnReport = report => Console.Write(report.Event == SpillEvent.AttemptFailed ? string.Empty : $"report: {report.Event}\n"),
};
try
{
    await using (SpillingSender sender = SpillingSender.Open(directory, FindMainNodeAsync, options))
    {
        for (int i = 1; i <= 1000; i++)
        {
            if (i == 500)
            {
                Volatile.Write(ref listener, LinkListener.Start(WireKind.UnixSocket));   // the main node is there from now on
            }

            if (sender.TrySend(new Event(i)) != SendResult.Queued)
            {
                return 1;
            }
        }

        SpillStatus end = await sender.CloseAsync(TimeSpan.FromSeconds(30));
        Console.WriteLine($"delivered: {end.IsDelivered}; handled {handled.Count}, dropped as duplicates {receiver.Duplicates}");
        return end.IsDelivered && handled.Count == 1000 ? 0 : 1;
    }
}
finally
{
    if (listener is not null)
    {
        await listener.DisposeAsync();
    }

    if (Directory.Exists(directory))
    {
        Directory.Delete(directory, recursive: true);
    }
}
