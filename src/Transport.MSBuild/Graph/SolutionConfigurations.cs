using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Build.Construction;
using Microsoft.Build.Exceptions;

namespace Transport.MSBuild;

/// <summary>Whether a solution has the configuration that is to be built. MSBuild's graph does not ask: it would take each project's
/// default.</summary>
internal static class SolutionConfigurations
{
    /// <param name="path">The full path of a solution.</param>
    /// <param name="properties">The user's global properties.</param>
    /// <exception cref="InvalidProjectFileException">It has not (MSB4126, as MSBuild says it), or it is broken.</exception>
    public static void Check(string path, IReadOnlyDictionary<string, string> properties)
    {
        SolutionFile solution = SolutionFile.Parse(path);
        string configuration = Value("Configuration") ?? solution.GetDefaultConfigurationName(), platform = Value("Platform")
            ?? solution.GetDefaultPlatformName();
        if (solution.SolutionConfigurations.Any(c => Same(c.ConfigurationName, configuration) && Same(c.PlatformName, platform)))
        {
            return;
        }

        string known = string.Join(", ", solution.SolutionConfigurations.Select(c => c.FullName));
        throw new InvalidProjectFileException(
            path + ".metaproj", 0, 0, 0, 0,
            $"The specified solution configuration \"{configuration}|{platform}\" is invalid. The solution has "
                + $"{(known.Length == 0 ? "none" : known)}. [{path}]",
            errorSubcategory: null, errorCode: "MSB4126", helpKeyword: null);

        string? Value(string name) => properties.FirstOrDefault(p => Same(p.Key, name)).Value is { Length: > 0 } value ? value : null;
    }

    private static bool Same(string a, string b) => a.Equals(b, StringComparison.OrdinalIgnoreCase);
}
