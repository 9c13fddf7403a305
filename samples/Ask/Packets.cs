using Transport;

namespace Ask;

/// <summary>Worker to main node: what it does.</summary>
[Packet(1024)]
internal sealed partial record Step(string Name);

/// <summary>Worker to main node; the response is a <see cref="Location"/>.</summary>
[Packet(1025)]
internal sealed partial record WhereIs(string Name) : IRequest<Location>;

/// <summary>The response to <see cref="WhereIs"/>.</summary>
[Packet(1026)]
internal sealed partial record Location(string Path);

/// <summary>Main node to worker; the response is a <see cref="Sum"/>.</summary>
[Packet(1027)]
internal sealed partial record Add(int Left, int Right) : IRequest<Sum>;

/// <summary>The response to <see cref="Add"/>.</summary>
[Packet(1028)]
internal sealed partial record Sum(int Value);
