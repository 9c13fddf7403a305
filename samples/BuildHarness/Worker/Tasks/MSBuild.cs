using Microsoft.Build.Framework;

namespace BuildHarness.Worker.Tasks;

/// <summary>MSBuild's task of this name, but that the projects it names are asked for at the main node, which has each built by one
/// worker.</summary>
/// <remarks>Public, and in a namespace of its own: MSBuild finds it by its name, and takes one that is called as its own for its
/// own.</remarks>
public sealed class MSBuild : Microsoft.Build.Tasks.MSBuild
{
    /// <summary>Gets or sets a value indicating whether a target that a project does not have is no error. MSBuild reads it off the
    /// project file where it runs the task itself.</summary>
    public bool SkipNonexistentTargets { get; set; }

    /// <inheritdoc/>
    public override bool Execute()
    {
        BuildEngine = new AskingEngine((IBuildEngine10)BuildEngine, this);
        return base.Execute();
    }
}
