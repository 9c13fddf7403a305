using System;
using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>Links whose both ends are in this process, over Unix sockets.</summary>
internal static class LinkPairs
{
    /// <param name="count">How many.</param>
    /// <param name="listener">Where they connect.</param>
    /// <param name="options">Of an end, by its name.</param>
    /// <param name="near">The router of the listening end.</param>
    /// <param name="far">The router of the connecting end.</param>
    public static async Task<(Link Near, Link Far)[]> ConnectAsync(
        int count, LinkListener listener, Func<string, LinkOptions> options, Func<int, PacketRouter> near, Func<int, PacketRouter> far)
    {
        var pairs = new (Link Near, Link Far)[count];
        for (int i = 0; i < count; i++)
        {
            LinkTicket ticket = listener.Expect(FormattableString.Invariant($"w{i}"));
            Link link = await Link.ConnectAsync(listener.Endpoint, ticket.Secret, options(ticket.Node));
            link.Start(far(i));
            Link other = await ticket.WaitForLinkAsync();
            other.Start(near(i));
            pairs[i] = (other, link);
        }

        return pairs;
    }
}
