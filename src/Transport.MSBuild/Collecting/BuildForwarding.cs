using System;
using System.Globalization;
using Microsoft.Build.Framework;
using Microsoft.Build.Logging;

namespace Transport.MSBuild;

/// <summary>Builds in process with MSBuild's worker nodes: each node sends its events to the collector over a link of its own, and MSBuild
/// carries none of them.</summary>
/// <remarks>Names MSBuild's types: the program must have found the SDK's assemblies (Microsoft.Build.Locator) before a method that calls
/// this is compiled.</remarks>
public static class BuildForwarding
{
    /// <summary>Makes the loggers of one build: a <see cref="TransportLogger"/> for this process, a <see cref="TransportForwarder"/> for
    /// each node.</summary>
    /// <param name="connectionFile">Where the collector says how to reach it: <see cref="BuildCollector.ConnectionFile"/>, or the note of a
    /// <c>transport collect</c>.</param>
    /// <param name="parameters">Further parameters of the logger, for example <c>required=true;wait=5</c>; empty by default.</param>
    /// <returns>What goes into <see cref="Microsoft.Build.Execution.BuildParameters.ForwardingLoggers"/>, for one build.</returns>
    /// <exception cref="ArgumentException"><paramref name="connectionFile"/> is empty or has a semicolon, which ends a
    /// parameter.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="NotSupportedException">The program is one file: a worker node, which is a process of MSBuild's, could not load
    /// the logger.</exception>
    public static ForwardingLoggerRecord To(string connectionFile, string parameters = "")
    {
        ArgumentException.ThrowIfNullOrEmpty(connectionFile);
        ArgumentNullException.ThrowIfNull(parameters);
        if (connectionFile.Contains(';', StringComparison.Ordinal))
        {
            throw new ArgumentException($"\"{connectionFile}\": expected a path without semicolons.", nameof(connectionFile));
        }

        Type forwarder = typeof(TransportForwarder);
        string assembly = forwarder.Assembly.Location;
        if (assembly.Length == 0)
        {
            throw new NotSupportedException("MSBuild's worker nodes load the logger from a file: publish the program with "
                + "PublishSingleFile=false.");
        }

        string all = string.Create(CultureInfo.InvariantCulture, $"connect={connectionFile};build={Guid.NewGuid():N};{parameters}");
        return new ForwardingLoggerRecord(
            new TransportLogger { Parameters = all },
            new LoggerDescription(forwarder.FullName, null, assembly, all, LoggerVerbosity.Diagnostic));
    }
}
