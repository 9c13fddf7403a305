using System.Collections.Generic;
using BuildHarness.Packets;

namespace BuildHarness.Scheduling;

/// <summary>Targets of one configuration that somebody waits for. Of the <see cref="Schedule"/>'s thread.</summary>
/// <param name="id">Its number.</param>
/// <param name="configuration">Of what.</param>
/// <param name="asked">What distinguishes it within the configuration.</param>
/// <param name="work">The work.</param>
/// <param name="depth">How far it is from the entry: the deeper, the more waits for it.</param>
internal sealed class ScheduledRequest(int id, Configuration configuration, string asked, ProjectWork work, int depth)
{
    public int Id => id;

    public Configuration Configuration => configuration;

    public string Asked => asked;

    public ProjectWork Work => work;

    public int Depth => depth;

    /// <summary>Gets a value indicating whether it is the whole build.</summary>
    public bool IsEntry => depth == 0;

    /// <summary>Gets a value indicating whether it builds its project, in place of asking for its items.</summary>
    public bool Builds { get; } = depth == 0 || Configuration.Builds(work);

    /// <summary>Gets who waits for it; a null parent: the entry.</summary>
    public List<Asker> Askers { get; } = [];

    /// <summary>Gets the requests that it waits for itself, with how many questions each.</summary>
    public Dictionary<ScheduledRequest, int> WaitsFor { get; } = [];

    /// <summary>Gets or sets the worker that it was given to, or null: it waits for one.</summary>
    public string? Node { get; set; }

    /// <summary>Gets or sets a value indicating whether it was answered as part of a circle; its worker's word is not heard any more.</summary>
    public bool IsGivenUp { get; set; }

    /// <summary>Gets or sets a value indicating whether its worker has said that it stands still.</summary>
    public bool IsStill { get; set; }

    /// <summary>Gets or sets how many events its worker had then; -1 before.</summary>
    public long Events { get; set; } = -1;

    /// <summary>Gets or sets a value indicating whether that is another number than the time before.</summary>
    public bool HasHappened { get; set; }

    /// <summary>Gets or sets the project that it failed for, if one that it had asked for has failed.</summary>
    public Configuration? FailedFor { get; set; }

    /// <summary>Gets a value indicating whether its worker could build it now: it has it, and it waits for nothing.</summary>
    public bool IsRunning => Node is not null && WaitsFor.Count == 0;

    /// <summary>What the worker is told that it is given to.</summary>
    public BuildProject ToPacket() => new(Id, Work, IsEntry);

    /// <summary>Whether it waits, by others or at once, for another.</summary>
    public bool Wants(ScheduledRequest other)
    {
        var seen = new HashSet<ScheduledRequest>();
        var next = new Stack<ScheduledRequest>([this]);
        while (next.TryPop(out ScheduledRequest? request))
        {
            foreach (ScheduledRequest wanted in request.WaitsFor.Keys)
            {
                if (wanted == other)
                {
                    return true;
                }

                if (seen.Add(wanted))
                {
                    next.Push(wanted);
                }
            }
        }

        return false;
    }

    /// <summary>Returns what it is.</summary>
    public override string ToString() => $"{configuration.Title} [{string.Join(';', work.Targets)}]";
}

/// <summary>Who waits for a request.</summary>
/// <param name="Parent">The request whose task asks; null: it is the entry.</param>
/// <param name="Question">The worker's id of the question.</param>
internal readonly record struct Asker(ScheduledRequest? Parent, int Question);
