using Transport;

namespace BuildHarness.Packets;

/// <summary>Worker to main node: a file of a project's outputs; its bytes follow, then its <see cref="OutputFileEnd"/>.</summary>
/// <param name="Project">The project's id in the plan.</param>
/// <param name="Path">The path in the project's output folder, with '/' between names.</param>
/// <param name="Mode">The Unix permissions, or -1 if there are none.</param>
/// <param name="Seconds">When it was changed: seconds since 1970, UTC.</param>
/// <param name="Nanoseconds">And nanoseconds, 0 to 999,999,999.</param>
[Packet(521, Lane = Lane.Bulk)]
internal sealed partial record OutputFileBegin(int Project, string Path, int Mode, long Seconds, int Nanoseconds);
