using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Transport.Files;

namespace Transport.Loads.Trees;

/// <summary>Generated NuGet packages in a folder, a project that wants all of them, and two who extract them as NuGet lays them
/// out.</summary>
internal sealed class PackageFeed
{
    private const string Version = "1.0.0";
    private const int Least = 5, Most = 300;

    private readonly string _folder;
    private readonly string _feed;
    private readonly string[] _names;

    public PackageFeed(string folder, int packages)
    {
        _folder = folder;
        _feed = Directory.CreateDirectory(Path.Combine(folder, "feed")).FullName;
        _names = [.. Enumerable.Range(0, packages).Select(i => string.Create(CultureInfo.InvariantCulture, $"made.p{i:D3}"))];
        var random = new Random(6);
        foreach (string name in _names)
        {
            Files += Pack(name, random);
        }

        WriteProject();
    }

    /// <summary>Gets how many files an extracted folder has in all.</summary>
    public int Files { get; }

    private string Project => Path.Combine(_folder, "project", "wants.csproj");

    /// <summary>Has <c>dotnet restore</c> put the packages into a folder.</summary>
    public TreeSample Restore(string folder)
    {
        string obj = Path.Combine(_folder, "project", "obj");
        if (Directory.Exists(obj))
        {
            Directory.Delete(obj, recursive: true);
        }

        return TreeSample.OfProgram("dotnet", "restore", Project, "--packages", folder, "--source", _feed, "--disable-build-servers",
            "--no-http-cache", "-p:NuGetAudit=false", "-v", "q");
    }

    /// <summary>Puts the packages into a folder, some at once.</summary>
    public void Extract(string folder, int degree)
    {
        Directory.CreateDirectory(folder);
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = degree };
        Parallel.ForEachAsync(_names, parallel, async (name, _) => await ExtractAsync(folder, name).ConfigureAwait(false))
            .GetAwaiter().GetResult();
    }

    /// <summary>Compares what was extracted with what <c>dotnet restore</c> made.</summary>
    /// <exception cref="LoadException">They differ.</exception>
    public void Compare(string reference, string folder, string who, bool wholeFiles)
    {
        string[] expected = FilesOf(reference), found = FilesOf(folder);
        if (!expected.SequenceEqual(found, StringComparer.Ordinal))
        {
            string[] other = [.. expected.Except(found, StringComparer.Ordinal).Concat(found.Except(expected, StringComparer.Ordinal))];
            throw new LoadException($"{who}: {found.Length} files in place of {expected.Length}: {string.Join(", ", other.Take(5))}");
        }

        string? changed = wholeFiles ? Array.Find(expected, path =>
            !File.ReadAllBytes(Path.Combine(reference, path)).AsSpan().SequenceEqual(File.ReadAllBytes(Path.Combine(folder, path)))) : null;
        if (changed is not null)
        {
            throw new LoadException($"{who}: {changed} is not what dotnet restore makes.");
        }
    }

    private static string[] FilesOf(string folder) =>
        [.. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Select(f => Path.GetRelativePath(folder, f))
            .Order(StringComparer.Ordinal)];

    private int Pack(string name, Random random)
    {
        using ZipArchive zip = ZipFile.Open(PathOf(name), ZipArchiveMode.Create);
        Add(zip, name + ".nuspec", Encoding.UTF8.GetBytes("<?xml version=\"1.0\"?><package><metadata>"
            + $"<id>{name}</id><version>{Version}</version><authors>made</authors><description>made</description></metadata></package>"));
        Add(zip, "[Content_Types].xml", Encoding.UTF8.GetBytes("<?xml version=\"1.0\"?>"
            + "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>"));
        int files = random.Next(Least, Most + 1);
        for (int i = 0; i < files; i++)
        {
            byte[] bytes = new byte[random.Next(200, 20_000)];
            for (int at = 0; at < bytes.Length; at++)
            {
                bytes[at] = (byte)('a' + random.Next(16));
            }

            Add(zip, string.Create(CultureInfo.InvariantCulture, $"tools/d{i / 20}/f{i}.txt"), bytes);
        }

        return files + 4;   // the nuspec, the package, its hash, NuGet's note
    }

    private static void Add(ZipArchive zip, string name, byte[] bytes)
    {
        using Stream data = zip.CreateEntry(name).Open();
        data.Write(bytes);
    }

    private string PathOf(string name) => Path.Combine(_feed, $"{name}.{Version}.nupkg");

    private async Task ExtractAsync(string folder, string name)
    {
        byte[] package = await File.ReadAllBytesAsync(PathOf(name)).ConfigureAwait(false);
        string hash = Convert.ToBase64String(SHA512.HashData(package));
        Directory.CreateDirectory(Path.Combine(folder, name));
        FileOutput output = FileOutput.Publish(Path.Combine(folder, name, Version));
        await using (output.ConfigureAwait(false))
        {
            using var zip = new ZipArchive(new MemoryStream(package));
            foreach (ZipArchiveEntry entry in zip.Entries.Where(e => e.FullName != "[Content_Types].xml"))
            {
                using Stream data = entry.Open();
                output.Write(entry.FullName, data, new FileEntry { Length = entry.Length });
            }

            output.Write($"{name}.{Version}.nupkg", package);
            output.Write($"{name}.{Version}.nupkg.sha512", Encoding.ASCII.GetBytes(hash));
            output.Write(".nupkg.metadata", NoteOf(hash));
            await output.CompleteAsync().ConfigureAwait(false);
        }
    }

    /// <summary>What NuGet notes of a package.</summary>
    private byte[] NoteOf(string hash) => Encoding.UTF8.GetBytes(
        $"{{\n  \"version\": 2,\n  \"contentHash\": \"{hash}\",\n  \"source\": \"{_feed}\"\n}}");

    private void WriteProject()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Project)!);
        string references = string.Concat(_names.Select(name => $"    <PackageReference Include=\"{name}\" Version=\"{Version}\" />\n"));
        File.WriteAllText(Project, "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <TargetFramework>net10.0</TargetFramework>\n"
            + $"  </PropertyGroup>\n  <ItemGroup>\n{references}  </ItemGroup>\n</Project>\n");
        File.WriteAllText(Path.Combine(_folder, "project", "nuget.config"),
            "<configuration><packageSources><clear /></packageSources></configuration>");
    }
}
