using Transport;

namespace Pool;

/// <summary>Main node to worker; the response is a <see cref="Compiled"/>.</summary>
[Packet(1024)]
internal sealed partial record Compile(string File) : IRequest<Compiled>;

/// <summary>The response to <see cref="Compile"/>.</summary>
[Packet(1025)]
internal sealed partial record Compiled(string File, int Worker);

/// <summary>Main node to every worker: how to compile from now on.</summary>
[Packet(1026)]
internal sealed partial record Configuration(string Name);
