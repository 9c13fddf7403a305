using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using BuildHarness.Packets;
using Transport.MSBuild;

namespace BuildHarness.Building;

/// <summary>
/// Finds the warnings and errors that come twice because a worker has died: what it had is built once more by another, which reports again
/// what the first one has reported already. A project's path and global properties distinguish it, whoever builds it. So what comes of it
/// counts only beyond what the dead have reported. Safe from any thread.
/// </summary>
internal sealed class DiagnosticLedger
{
    /// <summary>A worker that invents projects or warnings must not fill the memory: what exceeds this is taken for new.</summary>
    private const int Most = 100_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<(string Node, int Instance), Configuration> _configurations = [];
    private readonly Dictionary<(Guid Diagnostic, string Node, int Instance), int> _byInstance = [];
    private readonly Dictionary<Guid, int> _lost = [];   // how often a node that has died has reported it
    private readonly HashSet<(string Path, string Framework)> _inner = [];

    /// <summary>Notes what a project was evaluated to; before it begins.</summary>
    public void Evaluated(ProjectEvaluated project)
    {
        lock (_gate)
        {
            if (project.IsInner && _inner.Count < Most)
            {
                _inner.Add((project.Path, project.Framework));
            }
        }
    }

    /// <summary>Notes a project that a node begins, with the global properties that distinguish it from others of the same file.</summary>
    /// <param name="node">The node.</param>
    /// <param name="started">Its ProjectStarted.</param>
    public void Begin(string node, BuildEvent started)
    {
        if (started.Context is not { } context || started.Text("ProjectFile") is not { Length: > 0 } path)
        {
            return;
        }

        KeyValuePair<string, string?>[] properties = started.Map("GlobalProperties")?.Entries.ToArray() ?? [];
        string framework = properties.LastOrDefault(p => Is(p, "TargetFramework")).Value ?? string.Empty;
        var text = new StringBuilder(path);
        foreach ((string name, string? value) in properties.OrderBy(p => p.Key, StringComparer.OrdinalIgnoreCase))
        {
            text.Append('\0').Append(name.ToUpperInvariant()).Append('=').Append(value);
        }

        Guid identity = Hash(text.ToString());
        lock (_gate)
        {
            if (_configurations.Count < Most)
            {
                string shown = _inner.Contains((path, framework)) ? framework : string.Empty;
                _configurations[(node, context.ProjectInstance)] = new Configuration(identity, shown);
            }
        }
    }

    /// <summary>
    /// Gets the framework of the project that an event belongs to; empty: the project is for one framework only, or not known.
    /// </summary>
    public string Framework(string node, BuildEvent one)
    {
        lock (_gate)
        {
            return Of(node, one)?.Framework ?? string.Empty;
        }
    }

    /// <summary>Notes that a node has died: what it has reported may be reported once more by others.</summary>
    public void Ended(string node)
    {
        lock (_gate)
        {
            foreach (((Guid diagnostic, string reporter, int _), int times) in _byInstance)
            {
                if (reporter == node)
                {
                    _lost[diagnostic] = Math.Max(times, _lost.GetValueOrDefault(diagnostic));
                }
            }
        }
    }

    /// <summary>Notes a warning or error.</summary>
    /// <param name="node">The node.</param>
    /// <param name="one">The event.</param>
    /// <param name="text">The event as text.</param>
    /// <returns>True if it counts; false if a node that has died has reported it.</returns>
    public bool Count(string node, BuildEvent one, string text)
    {
        lock (_gate)
        {
            Guid diagnostic = Hash($"{Of(node, one)?.Identity}\0{one.Kind}\0{text}");
            (Guid, string, int) instance = (diagnostic, node, one.Context?.ProjectInstance ?? -1);
            int times = _byInstance.GetValueOrDefault(instance) + 1;
            if (_byInstance.Count < Most)
            {
                _byInstance[instance] = times;
            }

            return times > _lost.GetValueOrDefault(diagnostic);
        }
    }

    private static bool Is(KeyValuePair<string, string?> property, string name) =>
        property.Key.Equals(name, StringComparison.OrdinalIgnoreCase);

    private static Guid Hash(string text) => new(SHA256.HashData(Encoding.UTF8.GetBytes(text)).AsSpan(0, 16));

    private Configuration? Of(string node, BuildEvent one) =>
        one.Context is { } context && _configurations.TryGetValue((node, context.ProjectInstance), out Configuration known) ? known : null;

    /// <summary>A project with its global properties.</summary>
    /// <param name="Identity">The same in every worker.</param>
    /// <param name="Framework">Its framework, if it is one of several of its project.</param>
    private readonly record struct Configuration(Guid Identity, string Framework);
}
