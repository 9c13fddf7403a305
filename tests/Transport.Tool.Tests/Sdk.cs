using System.Runtime.CompilerServices;
using Microsoft.Build.Locator;

namespace Transport.Tool.Tests;

/// <summary>Finds the SDK's MSBuild before any method that names one of its types is compiled.</summary>
internal static class Sdk
{
    [ModuleInitializer]
    internal static void Find() => MSBuildLocator.RegisterDefaults();
}
