using System.Collections.Generic;
using System.Linq;
using Transport.Loads;

namespace Transport.Rivals.Peers;

/// <summary>All peers, this library first.</summary>
internal static class PeerList
{
    public static readonly IReadOnlyList<IPeer> All =
    [
        new TransportPeer(), new JsonRpcPeer(), new GrpcPeer(), new NetMqPeer(), new AwaitedPipePeer(), new ChannelPipePeer(),
        new BatchPeer(), new MultiplexPeer(), new NatsPeer(), new NodePeer(),
    ];

    public static IPeer Named(string name) => All.FirstOrDefault(peer => Word(peer) == name)
        ?? throw new LoadException($"No peer is called '{name}': {string.Join(", ", All.Select(Word))}.");

    /// <summary>Returns a peer's name as one word of a command line.</summary>
    public static string Word(IPeer peer) => string.Concat(
        peer.Name.Replace(' ', '-').Where(c => char.IsLetterOrDigit(c) || c is '-' or '.'));
}
