using System.Globalization;
using Transport.Loads.Report;

namespace Transport.Loads.Trees;

/// <summary>One way to call <c>buildharness extract</c>.</summary>
/// <param name="Format">tar or zip.</param>
/// <param name="Writers">How many threads write.</param>
/// <param name="Against">The program it is compared with.</param>
/// <param name="Target">What must hold against that, both starts taken off; null: shown only.</param>
internal sealed record ExtractCase(string Format, int Writers, string Against, Target? Target = null)
{
    public const string Tar = "tar";
    public const string Zip = "zip";

    public static readonly ExtractCase[] All =
    [
        new(Tar, 1, TreeColumn.Tar),
        new(Tar, 2, TreeColumn.Tar, Target.AtLeast(1)) { AgainstClass = Target.AtLeast(3) },
        new(Tar, 4, TreeColumn.Tar),
        new(Tar, 2, TreeColumn.TarNoTimes) { Extra = ["--no-times"] },
        new(Tar, 2, TreeColumn.Tar) { Extra = ["--io", "mmap"] },
        new(Zip, 1, TreeColumn.Unzip),
        new(Zip, 2, TreeColumn.Unzip),
        new(Zip, 4, TreeColumn.Unzip),
    ];

    /// <summary>Gets what must hold against .NET's own class; null: shown only.</summary>
    public Target? AgainstClass { get; init; }

    /// <summary>Gets further options of the command line.</summary>
    public string[] Extra { get; init; } = [];

    /// <summary>Gets .NET's own class for the format.</summary>
    public string InProcess => Format == Zip ? TreeColumn.ZipFile : TreeColumn.TarFile;

    public string[] Options => ["--writers", Writers.ToString(CultureInfo.InvariantCulture), .. Extra];

    public string Name => $"{Format}, {Writers} "
        + $"writer{(Writers == 1 ? string.Empty : "s")}{(Extra.Length > 0 ? " " + string.Join(' ', Extra) : string.Empty)}";
}
