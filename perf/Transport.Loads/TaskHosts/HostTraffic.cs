using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Loads.TaskHosts;

/// <summary>
/// The traffic between a worker node of MSBuild and its task hosts in a rebuild of OrchardCore, as MSBuild's team counted it
/// (dotnet/msbuild 14054): 10,392 requests of 46 KB on average and at most 1.53 MB, as many responses of 15 KB (404 KB), 23,504 log packets
/// of 1.1 KB (124 KB); a fifth of the bytes are one environment, sent with each request (14097). The same in every process and run.
/// </summary>
/// <remarks>Sizes are log-normal with those means and greatest values, in the bytes of BinaryWriter. Items are of real shape: a path with
/// seven pairs of metadata; three of five come from what all of 223 projects share, the others from the project's own.</remarks>
internal sealed class HostTraffic
{
    /// <summary>How many requests a whole rebuild has.</summary>
    public const int Requests = 10_392;

    private const int Logs = 23_504, Projects = 223, Shared = 600, Own = 60, Variables = 90;
    private const double EnvironmentShare = 0.21;

    /// <summary>The widths of the distributions: of so many draws the greatest is the greatest reported.</summary>
    private const double RequestWidth = 1.115, ResponseWidth = 1.035, LogWidth = 1.5;

    private static readonly string[] Tasks =
        ["ResolvePackageAssets", "GenerateDepsFile", "ResolveTargetingPackAssets", "GetPackageDirectory"];

    private readonly Dictionary<string, string> _environment;
    private readonly Sized[] _shared;
    private readonly Sized[][] _own;
    private readonly int[] _requestBytes, _responseBytes, _logBytes, _firstLog;

    public HostTraffic()
    {
        var random = new Random(14054);
        _environment = MakeEnvironment(random, (int)(46_000 * EnvironmentShare));
        _shared = [.. Enumerable.Range(0, Shared)
            .Select(i => MakeItem(random, $"/usr/share/dotnet/packs/Some.Reference.Pack/10.0.0/ref/net10.0/Library{i}.dll"))];
        _own = [.. Enumerable.Range(0, Projects).Select(p => Enumerable.Range(0, Own)
            .Select(i => MakeItem(random, $"/src/OrchardCore/src/Modules/Module{p}/Views/Item{p}.{i}.cshtml")).ToArray())];
        _requestBytes = Sizes(random, Requests, 46_000 * (1 - EnvironmentShare), RequestWidth, 1_530_000);
        _responseBytes = Sizes(random, Requests, 15_000, ResponseWidth, 404_000);
        _logBytes = Sizes(random, Logs, 1_100, LogWidth, 124_000);
        _firstLog = new int[Requests + 1];
        for (int i = 0; i <= Requests; i++)
        {
            _firstLog[i] = (int)((long)Logs * i / Requests);
        }
    }

    public HostRequest Request(int number) =>
        new(number, Tasks[number % Tasks.Length], _environment, Items(number, salt: 1, _requestBytes[number]));

    public HostResponse Response(int number) => new(number, Items(number, salt: 2, _responseBytes[number]));

    /// <summary>How many log packets the hosts send of a request.</summary>
    public int LogsOf(int number) => _firstLog[number + 1] - _firstLog[number];

    /// <summary>A line as a task logs it: words that come again, and a number that does not.</summary>
    public HostLog Log(int number, int index)
    {
        int at = _firstLog[number] + index, bytes = _logBytes[at];
        string head = string.Create(
            CultureInfo.InvariantCulture, $"Considered \"{_shared[at % Shared].Item.Spec}\" as part of request {at}: ");
        return new HostLog(number, bytes <= head.Length ? head : head + new string((char)('a' + (at % 26)), bytes - head.Length));
    }

    /// <summary>Throws if a response is not the one that belongs to the request.</summary>
    public void Check(int number, HostResponse response)
    {
        HostItem[] expected = Items(number, salt: 2, _responseBytes[number]);
        if (response.Number != number || response.Items.Length != expected.Length
            || (expected.Length > 0 && response.Items[^1].Spec != expected[^1].Spec))
        {
            throw new LoadException($"Request {number} got the response {response.Number} with {response.Items.Length} items.");
        }
    }

    private static int[] Sizes(Random random, int count, double mean, double width, int most)
    {
        double middle = Math.Log(mean) - (width * width / 2);
        return [.. Enumerable.Range(0, count).Select(_ => (int)Math.Min(most, Math.Exp(middle + (width * Normal(random)))))];
    }

    private static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());

    private static Dictionary<string, string> MakeEnvironment(Random random, int bytes) => Enumerable.Range(0, Variables).ToDictionary(
        i => $"SOME_VARIABLE_{i}", i => RandomPath(random, (bytes / Variables) - 18), StringComparer.Ordinal);

    private static Sized MakeItem(Random random, string spec) => Sized.Of(
        new HostItem(spec, new Dictionary<string, string>(StringComparer.Ordinal)
    {
        ["DefiningProjectFullPath"] = $"/src/OrchardCore/src/Modules/Module{random.Next(Projects)}/Module.csproj",
        ["NuGetPackageId"] = $"Some.Package.{random.Next(100)}",
        ["NuGetPackageVersion"] = $"{random.Next(10)}.{random.Next(10)}.0",
        ["Private"] = "false",
        ["TargetFramework"] = "net10.0",
        ["RelativeDir"] = Path.GetDirectoryName(spec)!,
        ["FileVersion"] = $"10.0.{random.Next(1000)}.{random.Next(60_000)}",
    }));

    private static string RandomPath(Random random, int length)
    {
        var text = new char[length];
        for (int i = 0; i < length; i++)
        {
            text[i] = i % 12 == 0 ? '/' : (char)('a' + random.Next(26));
        }

        return new string(text);
    }

    private HostItem[] Items(int number, int salt, int bytes)
    {
        Sized[] own = _own[number % Projects];
        var items = new List<HostItem>();
        for (int at = (number * 31) + salt; bytes > 0; at++)
        {
            Sized one = at % 5 < 3 ? _shared[at % Shared] : own[at % Own];
            items.Add(one.Item);
            bytes -= one.Bytes;
        }

        return [.. items];
    }

    private sealed record Sized(HostItem Item, int Bytes)
    {
        public static Sized Of(HostItem item) => new(item, HostBinary.SizeOf(item));
    }
}
