using Transport;

namespace Calls;

/// <summary>Main node to worker; the response is any number of <see cref="FoundFile"/>.</summary>
[Packet(1024)]
internal sealed partial record FilesBelow(string Folder) : IStreamRequest<FoundFile>;

/// <summary>One item of the response to <see cref="FilesBelow"/>.</summary>
[Packet(1025)]
internal sealed partial record FoundFile(string Path);

/// <summary>Main node to worker; the response is a <see cref="Compiled"/>, with progress (<see cref="Share"/>) before it.</summary>
[Packet(1026)]
internal sealed partial record Compile(string Project) : IRequest<Compiled>;

/// <summary>The response to <see cref="Compile"/>.</summary>
[Packet(1027)]
internal sealed partial record Compiled(string Assembly);

/// <summary>How much of a <see cref="Compile"/> is done.</summary>
[Packet(1028)]
internal sealed partial record Share(int Done, int Of);
