using Transport.Wires;

namespace Transport.Links;

/// <summary>A connection that never got Welcome. Immutable.</summary>
/// <param name="Code">The word of Reject (identity, malformed, secret, protocol, version, busy), or the name of the fault that ended it without an answer.</param>
/// <param name="Message">A sentence: what was expected, what came.</param>
/// <param name="Identity">Who it was, as the kernel says.</param>
public sealed record RefusedConnection(string Code, string Message, PeerIdentity Identity);
