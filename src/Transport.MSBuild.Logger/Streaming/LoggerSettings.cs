using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>The parameters of <see cref="TransportLogger"/>: what follows the assembly in <c>-logger:</c>. Immutable.</summary>
internal sealed class LoggerSettings
{
    private const string Expected = "connect=FILE, required=true|false, mask=true|false, secrets=NAME,NAME, public=NAME,NAME, "
        + "wait=SECONDS, build=ID";
    private const int MostSeconds = 600, LongestBuild = 64;

    /// <summary>Gets the file that says where the collector is; null: none was named.</summary>
    public string? ConnectionFile { get; private set; }

    /// <summary>Gets a value indicating whether a build without a collector, or with events lost, fails.</summary>
    public bool IsRequired { get; private set; }

    /// <summary>Gets a value indicating whether secrets are masked.</summary>
    public bool IsMasking { get; private set; } = true;

    /// <summary>Gets further names of secrets.</summary>
    public IReadOnlyList<string> Secrets { get; private set; } = [];

    /// <summary>Gets names that are none.</summary>
    public IReadOnlyList<string> NoSecrets { get; private set; } = [];

    /// <summary>Gets how long the build waits for the collector at most: to connect, and again at the end for what is queued.</summary>
    public TimeSpan Wait { get; private set; } = TimeSpan.FromSeconds(2);

    /// <summary>Gets what the logger of the main process and the forwarders of its nodes have in common; null: there are none.</summary>
    public string? Build { get; private set; }

    /// <summary>Reads the parameters of a logger of MSBuild.</summary>
    /// <exception cref="LoggerException"><see cref="LoggerCodes.BadParameter"/>.</exception>
    public static LoggerSettings Read(string? parameters)
    {
        try
        {
            return Parse(parameters);
        }
        catch (Exception e) when (e is FormatException or ArgumentException or NotSupportedException or IOException)
        {
            throw new LoggerException($"Transport logger: {e.Message}", null, LoggerCodes.BadParameter, null);
        }
    }

    /// <exception cref="FormatException">A parameter is unknown or has an invalid value; one line for a person.</exception>
    public static LoggerSettings Parse(string? parameters)
    {
        var settings = new LoggerSettings();
        foreach (string part in (parameters ?? string.Empty).Split(';'))
        {
            if (part.Trim().Length > 0)
            {
                int equals = part.IndexOf('=');
                string name = (equals < 0 ? part : part.Substring(0, equals)).Trim();
                settings.Set(name, equals < 0 ? string.Empty : part.Substring(equals + 1).Trim());
            }
        }

        return settings;
    }

    private void Set(string name, string value)
    {
        switch (name.ToLowerInvariant())
        {
            case "connect":
                ConnectionFile = value.Length > 0 ? Path.GetFullPath(value) : throw Wrong(name, value, "a file");
                break;
            case "required":
                IsRequired = Flag(name, value);
                break;
            case "mask":
                IsMasking = Flag(name, value);
                break;
            case "secrets":
                Secrets = Names(value);
                break;
            case "public":
                NoSecrets = Names(value);
                break;
            case "wait":
                Wait = double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double seconds)
                    && seconds is >= 0.1 and <= MostSeconds ? TimeSpan.FromSeconds(seconds)
                    : throw Wrong(name, value, $"0.1 to {MostSeconds} seconds");
                break;
            case "build":
                Build = value.Length is > 0 and <= LongestBuild ? value : throw Wrong(name, value, $"1 to {LongestBuild} characters");
                break;
            default:
                throw new FormatException($"unknown parameter \"{name}\": expected {Expected}.");
        }
    }

    private static bool Flag(string name, string value) =>
        bool.TryParse(value, out bool flag) ? flag : throw Wrong(name, value, "true or false");

    private static string[] Names(string value) => value.Split([','], StringSplitOptions.RemoveEmptyEntries);

    private static FormatException Wrong(string name, string value, string expected) =>
        new($"parameter {name}: expected {expected}, got \"{value}\".");
}
