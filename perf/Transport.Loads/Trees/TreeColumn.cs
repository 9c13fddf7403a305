namespace Transport.Loads.Trees;

/// <summary>The columns of the tables about files.</summary>
internal static class TreeColumn
{
    /// <summary>GNU tar, times kept.</summary>
    public const string Tar = "tar -xf";

    /// <summary>GNU tar, times as they come.</summary>
    public const string TarNoTimes = "tar -xmf";

    /// <summary>Info-ZIP.</summary>
    public const string Unzip = "unzip";

    /// <summary><c>System.Formats.Tar.TarFile.ExtractToDirectory</c>, warm, in this process.</summary>
    public const string TarFile = "TarFile";

    /// <summary><c>System.IO.Compression.ZipFile.ExtractToDirectory</c>, warm, in this process.</summary>
    public const string ZipFile = "ZipFile";

    /// <summary><c>File.WriteAllBytes</c> into folders made beforehand: a program without this library.</summary>
    public const string Plain = "WriteAllBytes";

    /// <summary>This library with two writers, where its own choice is compared.</summary>
    public const string TwoWriters = "2 writers";

    /// <summary><c>rm -rf</c>.</summary>
    public const string Rm = "rm -rf";

    /// <summary><c>Directory.Delete</c>.</summary>
    public const string Delete = "Directory.Delete";

    /// <summary><c>dotnet restore</c>, what it extracts.</summary>
    public const string Restore = "dotnet restore";

    /// <summary>This library, through mappings.</summary>
    public const string Mmap = "mmap";

    public static readonly string[] OfExtract = [Rivals.Column.Transport, Rivals.Column.Floor, Tar, TarNoTimes, Unzip, TarFile, ZipFile];

    public static readonly string[] OfFiles = [Rivals.Column.Transport, Rivals.Column.Floor, Mmap, Plain, Tar, TarNoTimes, TarFile];
}
