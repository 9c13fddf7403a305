using System.Collections.Generic;
using System.Linq;
using BuildHarness.Building;
using BuildHarness.Packets;
using BuildHarness.Scheduling;

namespace BuildHarness.Collecting;

/// <summary>Once all is built: who sends the outputs of which project, one project a worker at a time. What a worker had that ends is sent
/// by another. Of the main loop.</summary>
internal sealed class OutputRound
{
    private readonly Collection _outputs;
    private readonly Queue<BuiltProject> _left;
    private readonly Dictionary<FleetNode, BuiltProject> _sending = [];

    private OutputRound(Collection outputs, IReadOnlyList<BuiltProject> projects) =>
        (_outputs, _left) = (outputs, new Queue<BuiltProject>(projects));

    /// <summary>Gets a value indicating whether all were sent.</summary>
    public bool IsDone => _left.Count == 0 && _sending.Count == 0;

    /// <summary>Begins.</summary>
    /// <exception cref="HarnessException">Outputs and collection would be in each other.</exception>
    public static OutputRound Begin(Collection outputs, IEnumerable<Configuration> built)
    {
        // Of two that put the same out there is one to collect.
        BuiltProject[] projects = [.. built.Select(one => one.Project).OfType<ProjectEvaluated>().Distinct()
            .Select((one, id) => new BuiltProject(id, one))];
        outputs.Plan(projects);
        return new OutputRound(outputs, projects);
    }

    /// <summary>Lets a worker send, if it sends nothing yet.</summary>
    public void Give(FleetNode node)
    {
        if (!_sending.ContainsKey(node) && _left.TryDequeue(out BuiltProject? project))
        {
            _sending.Add(node, project);
            node.Send(SendOutputs.PacketType, new SendOutputs(project.Id, _outputs.Begin(node.Id, project), project.Project));
        }
    }

    /// <summary>A worker has sent a project.</summary>
    public void Sent(FleetNode node, int project)
    {
        if (_sending.TryGetValue(node, out BuiltProject? sending) && sending.Id == project)
        {
            _sending.Remove(node);
        }
    }

    /// <summary>A worker has ended.</summary>
    public void Ended(FleetNode node)
    {
        if (_sending.Remove(node, out BuiltProject? project))
        {
            _left.Enqueue(project);
        }
    }
}
