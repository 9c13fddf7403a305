using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>Which of a router's methods a handler is given to, in every version of C# that may use it.</summary>
internal sealed class RouterOverloadTests
{
    /// <summary>C# 7.3 has neither records nor discards among parameters.</summary>
    private const string Program = """
        using System;
        using System.Collections.Generic;
        using System.Threading.Tasks;
        using Transport;

        public sealed class Known : IPacket<Known>, IRequest<Known>, IStreamRequest<Known>
        {
            public static PacketType<Known> PacketType { get { throw new NotSupportedException(); } }
            PacketType<Known> IPacket<Known>.PacketType { get { return PacketType; } }
            PacketType IRequest<Known>.PacketType { get { return PacketType; } }
            PacketType IStreamRequest<Known>.PacketType { get { return PacketType; } }
        }

        public static class Handlers
        {
            public static void Add(PacketRouter router, PacketType<string> type, Task<Known> task, List<Known> list)
            {
                router.On<Known>(list.Add);                                                       // Action<Known>
                router.On<Known>(one => { });                                                     // Action<Known>
                router.On((Known one) => list.Add(one));                                          // Action<Known>
                router.On<Known>((one, context) => { });                                          // Action<Known, PacketContext>
                router.On<Known>(async one => await task);                                        // Func<Known, Task>
                router.On<Known>(one => task);                                                    // Func<Known, Task>
                router.On<Known>(one => throw new NotSupportedException());                       // Func<Known, Task>
                router.On<Known>(async (one, context) => await task);                             // Func<Known, PacketContext, Task>
                router.On<Known>(HandleAsync);                                                    // Func<Known, PacketContext, Task>
                router.On(type, (text, context) => { });                                          // Action<string, PacketContext>
                router.On(type, async (text, context) => await task);                             // Func<string, PacketContext, Task>
                router.OnRaw(1024, packet => list.Clear());                                       // RawPacketHandler
                router.OnRaw(1024, packet => SaveAsync(packet.Lease()));                          // AsyncRawPacketHandler
                router.OnUnknown(packet => Task.CompletedTask);                                   // AsyncRawPacketHandler
                router.OnUnknown(packet => { });                                                  // RawPacketHandler
                router.OnUnknown(packet => list.Clear());                                         // RawPacketHandler
                router.OnUnknown(packet => SaveAsync(packet.Lease()));                            // AsyncRawPacketHandler
                router.OnUnknown(packet => throw new NotSupportedException());                    // AsyncRawPacketHandler
                router.OnRequest<Known, Known>(one => one);                                       // Func<Known, Known>
                router.OnRequest<Known, Known>(one => throw new NotSupportedException());         // Func<Known, Known>
                router.OnRequest<Known, Known>(one => { lock (list) { return one; } });           // Func<Known, Known>
                router.OnRequest<Known, Known>(Answer);                                           // Func<Known, Known>
                router.OnRequest<Known, Known>(AnswerAsync);                                      // Func<Known, PacketContext, Task<Known>>
                router.OnRequest<Known, Known>((one, context) => throw new NotSupportedException());
                    // Func<Known, PacketContext, Task<Known>>
                router.OnRequest<Known, Known>((one, context) => task);                           // Func<Known, PacketContext, Task<Known>>
                router.OnRequest<Known, Known>(async (one, context) => await task);               // Func<Known, PacketContext, Task<Known>>
                router.OnRequest(type, type, async (text, context) => { await task; return ""; });
                    // Func<string, PacketContext, Task<string>>
                router.OnRequest<Known, Known, Known>(async (one, progress, context) => await task);
                    // Func<Known, IProgress<Known>, PacketContext, Task<Known>>
                router.OnRequestStream<Known, Known>((one, context) => null);
                    // Func<Known, PacketContext, IAsyncEnumerable<Known>>
            }

            private static Known Answer(Known one) { return one; }
            private static Task<Known> AnswerAsync(Known one, PacketContext context) { return Task.FromResult(one); }
            private static async Task SaveAsync(PacketLease packet) { await Task.Yield(); packet.Packet.ToArray(); }
            private static Task HandleAsync(Known one, PacketContext context) { return Task.CompletedTask; }
        }
        """;

    [TestCase(LanguageVersion.CSharp7_3)]
    [TestCase(LanguageVersion.CSharp9)]
    [TestCase(LanguageVersion.CSharp12)]
    [TestCase(LanguageVersion.CSharp13)]
    [TestCase(LanguageVersion.CSharp14)]
    public void Every_version_of_the_language_chooses_the_same(LanguageVersion version)
    {
        CSharpCompilation compilation = Compiler.Compile(version, Program);
        if (version < LanguageVersion.CSharp8)
        {
            compilation = compilation.WithOptions(compilation.Options.WithNullableContextOptions(NullableContextOptions.Disable));
        }

        Assert.That(compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error && !d.IsWarningAsError)
            .Select(d => d.ToString()), Is.Empty);
        SyntaxTree tree = compilation.SyntaxTrees.Single(one => one.ToString().Contains("class Handlers", StringComparison.Ordinal));
        SemanticModel model = compilation.GetSemanticModel(tree);
        IEnumerable<string> chosen =
            from call in tree.GetRoot().DescendantNodes().OfType<InvocationExpressionSyntax>()
            let method = model.GetSymbolInfo(call).Symbol as IMethodSymbol
            where method?.ContainingType.Name == "PacketRouter"
            select method.Parameters[^1].Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat);
        IEnumerable<string> meant = Program.Split('\n').Where(line => line.Contains("// ", StringComparison.Ordinal))
            .Select(line => line[(line.LastIndexOf("// ", StringComparison.Ordinal) + 3)..].Trim());
        Assert.That(chosen, Is.EqualTo(meant));
    }
}
