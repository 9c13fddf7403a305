using Transport;

namespace Transport.Nats.Helper;

/// <summary>Asks for the square of a number.</summary>
/// <param name="Number">The number.</param>
/// <param name="Milliseconds">How long it takes.</param>
/// <param name="How">How it goes: empty; <c>crash</c>; <c>throw</c>; <c>wait</c>: until it is cancelled.</param>
/// <param name="Bytes">How many bytes come with the response.</param>
[Packet(1100)]
public sealed partial record Square(long Number, int Milliseconds = 0, string How = "", int Bytes = 0) : IRequest<Squared>;

/// <summary>The square.</summary>
/// <param name="Value">It.</param>
/// <param name="Process">Who found it.</param>
/// <param name="Filler">As many bytes as were asked for.</param>
[Packet(1101)]
public sealed partial record Squared(long Value, int Process, byte[]? Filler = null);

/// <summary>How far it is.</summary>
/// <param name="Percent">In percent.</param>
[Packet(1102)]
public sealed partial record Step(int Percent);

/// <summary>Nobody handles it.</summary>
[Packet(1103)]
public sealed partial record Unknown : IRequest<Squared>;
