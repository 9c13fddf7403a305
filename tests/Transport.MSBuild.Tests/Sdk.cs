using System.Runtime.CompilerServices;
using Microsoft.Build.Locator;

namespace Transport.MSBuild.Tests;

/// <summary>Finds the SDK's MSBuild before any method that names one of its types is compiled.</summary>
internal static class Sdk
{
    [ModuleInitializer]
    internal static void Find()
    {
        if (!MSBuildLocator.IsRegistered)   // this assembly is loaded once more by OldMSBuildTests
        {
            MSBuildLocator.RegisterDefaults();
        }
    }
}
