using System;
using System.Collections.Generic;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>The C floor as one more column: the same packets, encoded beforehand.</summary>
internal sealed class FloorCourse
{
    private readonly CFloor _floor;
    private readonly string _file;
    private readonly int _count;

    private FloorCourse(RunOptions options, string file, int trial)
    {
        _floor = options.Floor;
        _file = file;
        _floor.Send(file, trial);
        Sample last = _floor.Send(file, trial);
        _count = Math.Clamp((int)(last.PacketsPerSecond * options.RoundSeconds), 50, 8_000_000);
    }

    /// <summary>Makes the course; null if there is no C compiler.</summary>
    public static FloorCourse? Make(RunOptions options, string name, IEnumerable<byte[]> packets, int trial = 20_000) =>
        options.Floor.Missing is null ? new FloorCourse(options, options.Floor.Save(name, packets), trial) : null;

    public Sample Run() => _floor.Send(_file, _count);
}
