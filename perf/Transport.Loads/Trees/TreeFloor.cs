using System.Globalization;
using System.IO;
using Transport.Loads.Rivals;

namespace Transport.Loads.Trees;

/// <summary>The floor in C (perf/floor/files.c): the same calls for each file as this library makes, by so many threads, out of an archive
/// read into memory beforehand.</summary>
internal sealed class TreeFloor
{
    /// <summary>The ways' names begin with this.</summary>
    public const string Way = "floor ";

    private readonly string _program;

    public TreeFloor(string folder)
    {
        _program = Path.Combine(folder, "files-floor");
        Missing = CFloor.Compile("files.c", _program);
    }

    /// <summary>Gets why there is no such column, or null.</summary>
    public string? Missing { get; }

    /// <summary>Gets the way that has as many threads at work as an output with so many writers: its caller fills memory, and that is no
    /// work that C has.</summary>
    public static string Of(int writers) => Way + (writers <= 1 ? "1" : "2");

    /// <summary>Adds both ways to a bench, unless there is no compiler.</summary>
    public void AddTo(TreeBench bench, string archive)
    {
        if (Missing is null)
        {
            bench.Add(Way + "1", target => Write(1, archive, target));
            bench.Add(Way + "2", target => Write(2, archive, target));
        }
    }

    private TreeSample Write(int threads, string archive, string target)
    {
        string[] said = CFloor.Run(_program, threads.ToString(CultureInfo.InvariantCulture), archive, target).Split(' ');
        double Number(int i) => double.Parse(said[i], CultureInfo.InvariantCulture);
        return new TreeSample(Number(0) / 1e9, Number(1));
    }
}
