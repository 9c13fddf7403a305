using Transport.Loads.Rivals;

namespace Transport.Loads.Restores;

/// <summary>The columns of the scenario <c>restore-graph</c>.</summary>
internal static class GraphColumn
{
    /// <summary>MSBuild's shape, the pipe read through a buffer of 1 KB.</summary>
    public const string Buffer1K = "1 KB";

    /// <summary>The same through 64 KB.</summary>
    public const string Buffer64K = "64 KB";

    /// <summary>The whole body first.</summary>
    public const string BodyFirst = "body first";

    public static readonly string[] All = [Column.Transport, Buffer1K, Buffer64K, BodyFirst];
}
