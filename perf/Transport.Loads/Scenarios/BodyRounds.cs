using System;
using System.Collections.Generic;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>Rounds of packets that are bytes already: this library and, if there is a compiler for it, the C floor, in turns.</summary>
internal static class BodyRounds
{
    /// <summary>Measures.</summary>
    /// <param name="options">The options.</param>
    /// <param name="word">Which packets: see <see cref="BodySet.Make"/>.</param>
    /// <param name="least">The fewest packets of a round.</param>
    /// <param name="trial">With how many packets the floor finds the length of its rounds.</param>
    public static List<Dictionary<string, Sample>> Run(RunOptions options, string word, int least, int trial)
    {
        var rounds = new List<Dictionary<string, Sample>>();
        FloorCourse? floor = FloorCourse.Make(options, $"{word}.bin", BodySet.Make(word).Bodies, trial);
        using Course course = Course.Bodies(options, word, least);
        course.WarmUp();
        for (int i = 0; i < options.Rounds; i++)
        {
            var round = new Dictionary<string, Sample>(StringComparer.Ordinal) { [Column.Transport] = course.Run() };
            if (floor is not null)
            {
                round[Column.Bytes] = floor.Run();
            }

            rounds.Add(round);
        }

        return rounds;
    }

    /// <summary>Picks this library's values alone: what the C floor allocates is not counted.</summary>
    public static List<IReadOnlyDictionary<string, double>> Only(List<Dictionary<string, Sample>> rounds, Func<Sample, double> value) =>
        rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal)
        {
            [Column.Transport] = value(r[Column.Transport]),
        });
}
