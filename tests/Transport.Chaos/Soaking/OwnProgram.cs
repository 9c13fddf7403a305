using System;
using System.IO;
using System.Reflection;

namespace Transport.Chaos.Soaking;

/// <summary>This program, to be started as a worker.</summary>
internal static class OwnProgram
{
    public static ProcessStartOptions Start(string[] arguments)
    {
        string host = Environment.ProcessPath!;
        string dll = Assembly.GetExecutingAssembly().Location;
        ProcessStartOptions start = string.Equals(Path.GetFileNameWithoutExtension(host), "dotnet", StringComparison.Ordinal)
            ? new ProcessStartOptions(host, [dll, .. arguments]) : new ProcessStartOptions(host, arguments);
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        return start;
    }
}
