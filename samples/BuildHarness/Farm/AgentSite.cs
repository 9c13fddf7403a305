using System;
using System.Linq;

namespace BuildHarness.Farm;

/// <summary>Who an agent is.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Workers">How many projects it builds at once.</param>
/// <param name="Sdk">The version of its .NET SDK.</param>
/// <param name="Say">Takes a line for people; from any thread.</param>
internal sealed record AgentSite(string Name, int Workers, string Sdk, Action<string> Say)
{
    /// <summary>The longest name; with a worker's behind it, it must be a journal's node.</summary>
    public const int MostName = 48;

    /// <summary>Gets the id of this agent's process.</summary>
    public Guid Id { get; } = Guid.NewGuid();

    /// <summary>Returns a name of which journals can be told: what they do not take becomes a hyphen.</summary>
    public static string NameOf(string wish)
    {
        string name = string.Concat(
            wish.Trim().Take(MostName).Select(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-' ? c : '-'));
        return name.Length == 0 ? "agent" : name;
    }

    /// <summary>Returns how home names a worker.</summary>
    public string NodeOf(string worker) => $"{Name}.{worker}";

    /// <summary>Returns the agent's name of a worker's.</summary>
    public static string AgentOf(string node) => node.LastIndexOf('.') is > 0 and var at ? node[..at] : node;
}
