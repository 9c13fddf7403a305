using Transport;

namespace Farm;

/// <summary>Asks for the hash of a word.</summary>
[Packet(1210)]
public sealed partial record HashWord(string Word) : IRequest<WordHash>;

/// <summary>The hash, and which process found it.</summary>
[Packet(1211)]
public sealed partial record WordHash(string Word, string Hash, string Worker);
