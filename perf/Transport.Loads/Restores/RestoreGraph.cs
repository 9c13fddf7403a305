using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Transport.Loads.Restores;

/// <summary>
/// The items of a restore graph as MSBuild's team met it in one packet (dotnet/msbuild 14485, 14486): 223,000 items with 2.9 million texts
/// of metadata, hundreds of MB. The same in every process and run.
/// </summary>
/// <remarks>Each item has a path of its own and six pairs of metadata, two of three have one more: project, frameworks, sources and folder
/// come again and again, ids are some thousand. 13.3 texts an item.</remarks>
internal static class RestoreGraph
{
    /// <summary>How many items the whole graph has.</summary>
    public const int Items = 223_000;

    private const int Projects = 400, Ids = 1_500;

    private static readonly string[] s_folders =
        [.. Enumerable.Range(0, Projects).Select(p => $"/home/builder/src/repository/src/area{p % 23}/component{p}/Component.Number{p}")];

    private static readonly string[] s_ids =
        [.. Enumerable.Range(0, Ids).Select(i => $"Some.Company.Library.With.A.Long.Name.{i}")];

    private static readonly string s_sources = string.Join(';', Enumerable.Range(0, 4)
        .Select(i => $"https://packages.example.com/feeds/organisation/feed{i}/nuget/v3/index.json"));

    /// <summary>Makes the items, one after the other.</summary>
    public static IEnumerable<(string Spec, Dictionary<string, string> Metadata)> Make(int count)
    {
        for (int i = 0; i < count; i++)
        {
            string folder = s_folders[i % Projects];
            var metadata = new Dictionary<string, string>(7, StringComparer.Ordinal)
            {
                ["ProjectUniqueName"] = folder + ".csproj",
                ["ProjectReferenceUniqueName"] = s_folders[(i * 7) % Projects] + ".csproj",
                ["TargetFrameworks"] = (i % 3) switch { 0 => "net10.0", 1 => "net9.0;net10.0", _ => "netstandard2.0;net10.0" },
                ["Id"] = s_ids[(i * 13) % Ids],
                ["Sources"] = s_sources,
                ["OutputPath"] = folder + "/obj/",
            };
            if (i % 3 != 0)
            {
                metadata.Add("VersionRange", string.Create(CultureInfo.InvariantCulture, $"[{i % 17}.{i % 10}.0, )"));
            }

            yield return (string.Create(CultureInfo.InvariantCulture, $"{folder}/restore/item-{i}"), metadata);
        }
    }

    /// <summary>What a reader adds up of an item, to compare with what was sent.</summary>
    public static long SumOf(string spec, Dictionary<string, string> metadata)
    {
        long sum = spec.Length;
        foreach ((string key, string value) in metadata)
        {
            sum = (sum * 31) + key.Length + (value.Length * 7) + value[^1];
        }

        return sum;
    }
}
