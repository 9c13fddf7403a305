using System;
using Microsoft.Build.Evaluation;

namespace BuildHarness.Planning;

/// <summary>Makes projects build without those that they refer to: references are the scheduler's business, and a project would else look for
/// them and build what it finds changed.</summary>
/// <remarks>
/// MSBuild's switch for that is the property BuildProjectReferences. As a global property it would be part of what distinguishes one project
/// instance from another: what packing asks of a project with that property of its own would then be the instance that is built, and its
/// targets, with their warnings, would run once in place of twice. As a property of the environment it is the default, and instances are
/// those of a build in one session. The environment of tasks and their processes does not have it.
/// </remarks>
internal static class WithoutReferences
{
    private const string Property = "BuildProjectReferences";

    /// <summary>Creates a collection whose projects have the property. Not while other threads look at the environment.</summary>
    public static ProjectCollection NewCollection()
    {
        string? before = Environment.GetEnvironmentVariable(Property);
        Environment.SetEnvironmentVariable(Property, "false");
        try
        {
            var collection = new ProjectCollection(ToolsetDefinitionLocations.Default);

            // A collection reads the environment once, for its first project. This one has no path, and stays.
            return new Project(collection).GetPropertyValue(Property) == "false" ? collection
                : throw new NotSupportedException($"MSBuild {ProjectCollection.Version} does not take {Property} from the environment.");
        }
        finally
        {
            Environment.SetEnvironmentVariable(Property, before);
        }
    }
}
