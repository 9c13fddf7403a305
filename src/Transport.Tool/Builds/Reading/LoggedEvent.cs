using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>An event of a journal.</summary>
/// <param name="Position">Its position in the journal.</param>
/// <param name="Build">The number of its build in the journal, from 1.</param>
/// <param name="Node">The node of the journal: a build of <c>collect</c>, or a worker.</param>
/// <param name="Event">The event. Ids of further nodes are moved, so that each part of the build has an id of its own.</param>
internal sealed record LoggedEvent(long Position, int Build, string Node, BuildEvent Event);
