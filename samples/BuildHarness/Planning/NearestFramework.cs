using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using Microsoft.Build.Execution;
using NuGet.Frameworks;

namespace BuildHarness.Planning;

/// <summary>Which framework of a project for several a reference resolves to: by the rules, and with the library, that the SDK's own build
/// uses.</summary>
internal static class NearestFramework
{
    /// <summary>Chooses. Needs nothing that a restore writes.</summary>
    /// <param name="referencing">The project with the reference.</param>
    /// <param name="candidates">The inner builds of the project it refers to.</param>
    /// <returns>Its place among the candidates, or -1 if the rules name none or the framework of one is unknown.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Choose(ProjectInstance referencing, IReadOnlyList<ProjectInstance> candidates)
    {
        if (Of(referencing) is not { } own)
        {
            return -1;
        }

        NuGetFramework?[] offered = [.. candidates.Select(Of)];
        if (Array.Exists(offered, framework => framework is null))
        {
            return -1;
        }

        // What AssetTargetFallback names is asked in its order, and only if nothing fits by itself.
        string[] fallbacks = referencing.GetPropertyValue("AssetTargetFallback")
            .Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        var reducer = new FrameworkReducer();
        NuGetFramework? nearest = fallbacks.Select(NuGetFramework.Parse).Prepend(own).Select(wish => reducer.GetNearest(wish, offered!))
            .FirstOrDefault(found => found is not null);
        return nearest is null ? -1 : Array.IndexOf(offered, nearest);
    }

    private static NuGetFramework? Of(ProjectInstance project)
    {
        string moniker = project.GetPropertyValue("TargetFrameworkMoniker");
        if (moniker.Length == 0)
        {
            return null;
        }

        string platform = project.GetPropertyValue("TargetPlatformMoniker");
        try
        {
            NuGetFramework framework = NuGetFramework.ParseComponents(moniker, platform);
            return framework.IsSpecificFramework ? framework : null;
        }
        catch (Exception e) when (e is ArgumentException or FormatException)
        {
            // What the project says of itself is no framework: its own build will say so.
            return null;
        }
    }
}
