using System;
using System.IO;
using System.Linq;
using Microsoft.Build.Locator;

namespace BuildHarness.Worker;

/// <summary>Finds the SDK's MSBuild. Nothing that names a type of MSBuild may run, or be compiled, before.</summary>
internal static class SdkMSBuild
{
    private const string HostVariable = "DOTNET_HOST_PATH", SdksVariable = "MSBuildSDKsPath";

    /// <summary>Gets the version of the SDK that was found, as its folder says.</summary>
    public static string Version => Environment.GetEnvironmentVariable(SdksVariable) is { Length: > 0 } sdks
        ? Path.GetFileName(Path.GetDirectoryName(sdks.TrimEnd(Path.DirectorySeparatorChar))) ?? sdks : string.Empty;

    /// <summary>Finds it; once a process.</summary>
    /// <returns>The path of the <c>dotnet</c> that the SDK belongs to.</returns>
    /// <exception cref="HarnessException">There is no SDK.</exception>
    public static string Find()
    {
        VisualStudioInstance sdk = Query()
            ?? throw new HarnessException("No .NET SDK was found: install one, or run where `dotnet --version` works.");
        MSBuildLocator.RegisterInstance(sdk);

        // As `dotnet build` does for its tasks: they start the compiler with this dotnet, not with any other on the PATH.
        string? host = Environment.GetEnvironmentVariable(HostVariable);
        if (string.IsNullOrEmpty(host))
        {
            host = Path.GetFullPath(Path.Combine(sdk.MSBuildPath, "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"));
            Environment.SetEnvironmentVariable(HostVariable, host);
        }

        return host;
    }

    private static VisualStudioInstance? Query()
    {
        try
        {
            return MSBuildLocator.QueryVisualStudioInstances().FirstOrDefault();
        }
        catch (InvalidOperationException)
        {
            // A global.json that asks for an SDK that is not there; the host has said so on stderr.
            return null;
        }
    }
}
