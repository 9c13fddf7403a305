using System.Collections.Generic;

namespace Transport.Loads.Scenarios;

/// <summary>Scenarios that are run together, with a word for the command line.</summary>
/// <param name="Name">The word.</param>
/// <param name="Page">The committed page that shows them.</param>
/// <param name="Duration">How long they take with all rounds on a machine of two cores, roughly.</param>
/// <param name="Scenarios">Which.</param>
internal sealed record ScenarioGroup(string Name, string Page, string Duration, IReadOnlyList<IScenario> Scenarios);
