using Transport.Tool;

namespace BuildHarness.Collecting;

/// <summary>A project that was given to a node, for the first time or again. The higher number is the later one.</summary>
/// <param name="Project">The project's id in the plan.</param>
/// <param name="Title">Its name for people.</param>
/// <param name="Name">The folder of the collection that it goes to.</param>
/// <param name="Number">Counted over all nodes.</param>
internal sealed record OutputTurn(int Project, string Title, string Name, int Number)
{
    /// <summary>Gets the folder that its files grow in: no worker has a say in that name.</summary>
    public string Folder => System.FormattableString.Invariant($"{Project}.{Number}");
}
