namespace Transport.Hosting.Helper;

/// <summary>Worker to main node: something happened.</summary>
[Packet(1024)]
public sealed partial record Note(string Text);

/// <summary>Main node to worker: asks for a sum.</summary>
[Packet(1025)]
public sealed partial record Add(int Left, int Right) : IRequest<Sum>;

/// <summary>Worker to main node: asks for a sum, which the main node has made by another worker.</summary>
[Packet(1027)]
public sealed partial record SumOf(int Left, int Right) : IRequest<Sum>;

/// <summary>The answer to <see cref="Add"/>.</summary>
[Packet(1026)]
public sealed partial record Sum(int Value);
