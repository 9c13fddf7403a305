using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>256 B log events from one worker, as fast as they are taken: the main load.</summary>
internal sealed class EventsScenario : IScenario
{
    /// <summary>The scenario's word.</summary>
    public const string Word = "events";

    /// <summary>What is over the load's own objects and still counts as nothing, in bytes a packet: buffers made once, divided by the
    /// packets of a round.</summary>
    private const double Nothing = 0.5;

    private const string NotRun = "column not run";

    private static readonly string[] s_columns = [Column.Transport, Column.Raw, Column.Seed, Column.Channel];

    public string Name => Word;

    public string Summary => "256 B log events, one worker, Send to handler: throughput, CPU, allocations";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var catalog = new EventCatalog();
        var courses = new Dictionary<string, Course>(StringComparer.Ordinal);
        var rounds = new List<Dictionary<string, Sample>>();
        string[] columns = options.Columns.Count > 0 ? [.. options.Columns] : s_columns;
        bool all = options.Columns.Count == 0;
        try
        {
            foreach (string column in columns)
            {
                courses[column] = Course.Events(options, catalog, column);
                courses[column].WarmUp();
            }

            FloorCourse? floor = !all ? null : FloorCourse.Make(options, "events.bin", EncodedEvents.Make(catalog));
            for (int i = 0; i < options.Rounds; i++)
            {
                Dictionary<string, Sample> round = Turns.Rotated(columns, i)
                    .ToDictionary(c => c, c => courses[c].Run(), StringComparer.Ordinal);
                if (floor is not null)
                {
                    round[Column.Bytes] = floor.Run();
                }

                rounds.Add(round);
            }
        }
        finally
        {
            foreach (Course course in courses.Values)
            {
                course.Dispose();
            }
        }

        Row Make(string metric, string unit, Func<Sample, double> value, string against, Target? target = null) =>
            Row.Make(options, Name, metric, unit, Row.Pick(rounds, value), against, target, columns.Contains(against) ? null : NotRun);
        Row WithoutFloor(string metric, Func<Sample, double> value) =>
            Row.Make(options, Name, metric, "B/event", Row.Pick(rounds.Select(r => r.Where(p => p.Key != Column.Bytes).ToDictionary()),
                value), Column.Raw, Target.MoreByAtMost(Nothing, 100), columns.Contains(Column.Raw) ? null : NotRun);
        return
        [
            Make("throughput against raw", "events/s", s => s.PacketsPerSecond, Column.Raw, Target.AtLeast(0.75)),
            Make("throughput against a plain channel", "events/s", s => s.PacketsPerSecond, Column.Channel, Target.AtLeast(1.0)),
            Make("throughput against the seed shape", "events/s", s => s.PacketsPerSecond, Column.Seed, Target.AtLeast(5.0)),
            Make("CPU of both sides against raw", "us/event", s => s.Cpu, Column.Raw, Target.AtMost(1.4)),
            Make("CPU of both sides against a plain channel", "us/event", s => s.Cpu, Column.Channel, Target.AtMost(1.0)),
            Make("CPU of both sides against the seed shape", "us/event", s => s.Cpu, Column.Seed),
            Make("cores kept busy", "cores", s => (s.SenderCpu + s.ReceiverCpu) / 1e6 / s.Seconds, Column.Raw),
            Make("CPU of the sender", "us/event", s => s.SenderCpu / s.Packets, Column.Raw),
            Make("CPU of the receiver", "us/event", s => s.ReceiverCpu / s.Packets, Column.Raw),
            WithoutFloor("allocated by the sender, over the load's own objects", s => s.AllocatedBySender),
            WithoutFloor("allocated by the receiver, over the load's own objects", s => s.AllocatedByReceiver),
            .. all ? EncodedRows.Run(options, Name) : [],
        ];
    }

    /// <summary>The columns that were asked for: fewer make a short run, to compare two versions of the library in many of them.</summary>
    /// <exception cref="LoadException">One is not a column of this scenario, or <c>transport</c> is not among them.</exception>
    public static IReadOnlyList<string> Choose(string[] names) =>
        names.Contains(Column.Transport) && names.All(s_columns.Contains)
            ? [.. s_columns.Where(names.Contains)]
            : throw new LoadException($"--columns {string.Join(',', names)}: choose among {string.Join(',', s_columns)}; "
                + $"{Column.Transport} must be one of them.");
}
