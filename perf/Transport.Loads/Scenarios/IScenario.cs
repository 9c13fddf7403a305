using System.Collections.Generic;
using Transport.Loads.Report;

namespace Transport.Loads.Scenarios;

/// <summary>One thing that is measured.</summary>
internal interface IScenario
{
    /// <summary>Gets the word for the command line.</summary>
    string Name { get; }

    /// <summary>Gets what it measures, in one line.</summary>
    string Summary { get; }

    /// <summary>Measures.</summary>
    /// <exception cref="LoadException">A packet was lost, changed or out of order, or a process ended.</exception>
    IEnumerable<Row> Run(RunOptions options);
}
