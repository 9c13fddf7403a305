using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using NUnit.Framework;
using Transport.Generator.Analysis;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>Types of MessagePack-CSharp where packets are expected: what is said names both ways.</summary>
internal sealed class MessagePackHintTests
{
    private const string Library = """
        namespace MessagePack
        {
            public sealed class MessagePackObjectAttribute : System.Attribute { }
            public sealed class KeyAttribute(int x) : System.Attribute { public int X => x; }
        }

        """;

    private const string Theirs = "[MessagePack.MessagePackObject] public class Theirs { [MessagePack.Key(0)] public int X { get; set; } }";

    [Test]
    public void A_packet_that_is_theirs_too_travels_by_our_formatter_and_says_so()
    {
        Compiler.Outcome outcome = Compiler.Run(
            "using Transport;\n" + Library + "[Packet(1024)][MessagePack.MessagePackObject] public sealed partial record P(int A);");
        Assert.That(outcome.Said.Select(d => d.Id), Is.EqualTo(new[] { "TRANSPORT033" }));
        Assert.That(outcome.Said[0].Descriptor.DefaultSeverity, Is.EqualTo(DiagnosticSeverity.Warning));
        Assert.That(outcome.Said[0].GetMessage(), Does.Contain("take '[Packet]' from it").And.Contain("MessagePackPacket.Of"));
        Assert.That(outcome.Compiler, Is.Empty);
    }

    [Test]
    public void A_field_of_a_type_of_theirs_says_what_can_be_done()
    {
        Compiler.Outcome outcome = Compiler.Run(
            "using Transport;\n" + Library + Theirs + "[Packet(1024)] public sealed partial record P(Theirs A);");
        Assert.That(outcome.Said.Select(d => d.Id), Is.EqualTo(new[] { "TRANSPORT005" }));
        Assert.That(
            outcome.Said[0].GetMessage(), Does.Contain("mark it [PacketObject] where it is declared, or send the whole packet with"));
    }

    [TestCase("_ = link.TrySend(new Theirs());", "TrySend")]
    [TestCase("_ = link.SendAsync(new Theirs());", "SendAsync")]
    [TestCase("new PacketRouter().On<Theirs>(_ => { });", "On")]
    [TestCase("new PacketRouter().On((Theirs one) => { });", "On")]
    public async Task A_send_or_handler_of_a_type_of_theirs_names_both_ways(string call, string method)
    {
        Diagnostic[] said = await SaidAsync(call);
        Assert.That(said.Select(d => d.Id), Is.EqualTo(new[] { "TRANSPORT034" }));
        Assert.That(said[0].GetMessage(), Does.Contain("MessagePackPacket.Of<Theirs>(1024)").And.Contain($"pass it to '{method}'"));
    }

    [TestCase("_ = link.TrySend(new Plain());", "TrySend")]
    [TestCase("_ = link.SendAsync(new Plain());", "SendAsync")]
    [TestCase("new PacketRouter().On<Plain>(_ => { });", "On")]
    public async Task A_send_or_handler_of_a_type_that_is_no_packet_says_what_makes_it_one(string call, string method)
    {
        Diagnostic[] said = await SaidAsync(call);
        Assert.That(said.Select(d => d.Id), Is.EqualTo(new[] { "TRANSPORT036" }));
        Assert.That(said[0].GetMessage(), Does.StartWith("'Plain' is not a packet: mark it [Packet(1024)]").And.Contain($"to '{method}'"));
    }

    [TestCase("_ = link.TrySend(plain, new Plain());")]
    [TestCase("_ = link.TrySend(new Ready());")]
    [TestCase("_ = link.TrySend(type, new Theirs());")]
    [TestCase("new PacketRouter().On(type, (_, _) => { });")]
    [TestCase("_ = link.TrySend(new object());")]
    [TestCase("_ = link.Nothing(new Theirs());")]
    public async Task What_compiles_or_fails_for_another_reason_gets_no_hint(string call) =>
        Assert.That(await SaidAsync(call), Is.Empty);

    private static async Task<Diagnostic[]> SaidAsync(string call)
    {
        CSharpCompilation compilation = Compiler.Compile(
            LanguageVersion.Latest,
            $"using Transport;\n{Library}{Theirs} public class Plain {{ }} [Packet(1030)] public sealed partial class Ready {{ }} "
                + "public static class Use { public static void Run(Link link, PacketType<Theirs> type, PacketType<Plain> plain) "
                + $"{{ {call} }} }}");
        DiagnosticAnalyzer[] analyzers = [new PacketCallAnalyzer()];
        return [.. await compilation.WithAnalyzers([.. analyzers]).GetAnalyzerDiagnosticsAsync()];
    }
}
