using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Transport.Rules;

/// <summary>One package of src: its sources as the compiler sees them for net10.0, and its layers.</summary>
internal sealed class Package
{
    /// <summary>
    /// The layers of each package, from the ground up: folders, and folders in them where those are named too; "." is the package's own.
    /// </summary>
    private static readonly Dictionary<string, string[]> Plans = new()
    {
        ["Transport"] =
        [
            ".", "Unix", "Diagnostics", "Processes/Ends", "Processes/Output", "Processes/Starting", "Processes/Unix", "Processes/Managed",
            "Processes", "Buffers", "MessagePack", "Packets", "Framing", "Protocol", "Wires", "Sending", "Receiving", "Session", "Features",
            "Links", "Workers",
        ],
        ["Transport.CodeFixes"] = ["."],
        ["Transport.Files"] = ["Model", "Trees", "FileSystems", "Writing", "Unix", "Portable", "."],
        ["Transport.Generator"] = ["Model", "Analysis", "Emit", "."],
        ["Transport.Hosting"] = ["."],
        ["Transport.Journal"] =
        [
            "Diagnostics", "Model", "Format", "Storage", "Uring", "Options", "Walking", "Committing", "Opening", ".", "Spill",
        ],
        ["Transport.MSBuild"] = ["Events", "Reading", "Writing", "Collecting"],
        ["Transport.MSBuild.Logger"] = ["Events", "Reading", "Masking", "Streaming", "."],
        ["Transport.Logging"] = ["Packets", "Stdio", "."],
        ["Transport.MessagePack"] = ["."],
        ["Transport.Nats"] = ["Blocks", "Streams", "Shipping", "Receiving", "Work", "Hosting"],
        ["Transport.RecyclableMemoryStream"] = ["."],
        ["Transport.Terminal"] = ["."],
        ["Transport.Tool"] = ["Terminal", "Packets", "Journals", "Checks", "Builds", "Doctor", "Fleet", "."],
    };

    /// <summary>What every package may refer to, read once for all of them.</summary>
    private static readonly PortableExecutableReference[] s_references =
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(path => MetadataReference.CreateFromFile(path))];

    private static readonly string[] Symbols =
        ["NET", "NET10_0", "NET10_0_OR_GREATER", "NET9_0_OR_GREATER", "NET8_0_OR_GREATER", "NETCOREAPP"];

    private readonly ConcurrentDictionary<SyntaxTree, SemanticModel> _models = new();

    private Package(string name)
    {
        Name = name;
        Layers = Plans.TryGetValue(name, out string[]? layers) ? layers
            : throw new InvalidOperationException($"{name} has no plan of its layers: add it to Package.Plans.");
        Files = [.. Repository.Files("*.cs", "src/" + name)];
        var options = new CSharpParseOptions(LanguageVersion.Latest, DocumentationMode.Parse, preprocessorSymbols: Symbols);
        Trees = [.. Files.Select(file => CSharpSyntaxTree.ParseText(Repository.Text(file), options, file))];
        Compilation = CSharpCompilation.Create(
            name,
            Trees,
            References(name),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true,
                nullableContextOptions: NullableContextOptions.Enable));
    }

    /// <summary>Gets every package. A folder of src without a plan is an error.</summary>
    public static IReadOnlyList<Package> All { get; } =
        [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "*.csproj", SearchOption.AllDirectories).Select(f
            => new Package(Path.GetFileNameWithoutExtension(f))).OrderBy(p => p.Name, StringComparer.Ordinal)];

    public string Name { get; }

    public string[] Layers { get; }

    public string[] Files { get; }

    public SyntaxTree[] Trees { get; }

    public CSharpCompilation Compilation { get; }

    /// <summary>Returns what the names in a file mean. Every test asks for the same model, which keeps what it has bound.</summary>
    public SemanticModel ModelOf(SyntaxTree tree) => _models.GetOrAdd(tree, one => Compilation.GetSemanticModel(one));

    /// <summary>Returns the layer that a file stands in.</summary>
    public string LayerOf(string file)
    {
        string[] path = file.Split('/');
        string inner = path.Length > 4 ? $"{path[2]}/{path[3]}" : "";
        return path.Length == 3 ? "." : Layers.Contains(inner) ? inner : path[2];
    }

    /// <inheritdoc/>
    public override string ToString() => Name;

    private static IEnumerable<MetadataReference> References(string name) =>
        s_references.Where(reference => Path.GetFileNameWithoutExtension(reference.FilePath) != name);
}
