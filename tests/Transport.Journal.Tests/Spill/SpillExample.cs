using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal.Tests.Spill;

public static class SpillExample
{
    // The sender. The Resolve callback returns where the main node is now, with a secret that it has issued for this connection.
    public static SpillingSender OpenSender(string directory, Func<CancellationToken, Task<SpillTarget?>> askForMainNode)
    {
        var options = new SpillOptions { OnReport = report => Console.Error.WriteLine(report.Message) };
        return SpillingSender.Open(directory, (attempt, cancellation) => askForMainNode(cancellation), options);
    }

    // Queued, with a link or without. A program that takes an IPacketSender does not know the difference; neither does a logger.
    public static SendResult Send(IPacketSender sender, PacketType<string> type) => sender.TrySend(type, "kept until it is acknowledged");

    // The main node: one receiver for all its links, a ticket for each attempt.
    public static PacketRouter Handle(SpillReceiver receiver, PacketType<string> type) =>
        receiver.AddTo(new PacketRouter().On(type, (text, _) => Console.WriteLine(text)));

    public static SpillTarget Issue(LinkListener listener, PacketRouter router)
    {
        LinkTicket ticket = listener.Expect("sender");
        _ = StartAsync(ticket, router);
        return new SpillTarget(listener.Endpoint, ticket.Secret);   // to be brought to the sender
    }

    private static async Task StartAsync(LinkTicket ticket, PacketRouter router) => (await ticket.WaitForLinkAsync()).Start(router);
}
