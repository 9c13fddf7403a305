namespace Transport.Processes.Tests.Packets;

/// <summary>Asks for the numbers from 0 on.</summary>
[Packet(1040)]
internal sealed partial record Count(int Numbers) : IStreamRequest<Number>;

/// <summary>One of them.</summary>
[Packet(1041)]
internal sealed partial record Number(int Value);
