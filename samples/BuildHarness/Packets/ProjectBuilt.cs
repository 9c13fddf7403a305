using Transport;

namespace BuildHarness.Packets;

/// <summary>Worker to main node, after the last event of the project.</summary>
/// <param name="Id">The project's id in the plan.</param>
/// <param name="Succeeded">Whether it was built.</param>
/// <param name="Milliseconds">How long it took, in milliseconds.</param>
/// <param name="Error">Why it could not even be tried, or null: what MSBuild threw and no event says.</param>
/// <param name="LeftOut">How many events of all projects so far the worker did not send because nobody takes them.</param>
[Packet(514)]
internal sealed partial record ProjectBuilt(int Id, bool Succeeded, long Milliseconds, string? Error, long LeftOut = 0);
