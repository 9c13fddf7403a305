using System.Linq;
using Microsoft.CodeAnalysis;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>What is said of a type that cannot travel can be done with that very type.</summary>
internal sealed class AdviceTests
{
    private const string Usings = "using System; using System.Collections.Generic; using Transport;\n";

    [TestCase(
        "(int A, int B, int C, int D, int E, int F, int G, string? H)",
        "a tuple has at most 7 elements, so declare a type for it, '[PacketObject] public sealed partial record Entry(int A, int B,")]
    [TestCase("List<(int, int, int, int, int, int, int, int)?>", "public sealed partial record Entry(int Item1, int Item2,")]
    [TestCase("(int, nint)", "instead of 'nint' use a long")]
    [TestCase("object", "instead of 'object' use one field for each kind of value")]
    [TestCase("dynamic", "instead of 'dynamic' use one field for each kind of value")]
    [TestCase("System.Net.IPAddress", "instead of 'IPAddress' use a string")]
    [TestCase("nint?", "instead of 'nint' use a long")]
    [TestCase("ArgumentException", "instead of 'ArgumentException' use strings for its type, its message and its stack")]
    [TestCase("IEnumerable<int>", "instead of 'IEnumerable<int>' use List<int> or an array")]
    [TestCase("SortedSet<string>[]", "instead of 'SortedSet<string>' use List<string> or an array")]
    [TestCase("HashSet<KeyValuePair<int, int>>", "use a record marked [PacketObject] (lists of KeyValuePair travel, one alone does not)")]
    [TestCase("System.Collections.Immutable.ImmutableQueue<int>", "instead of 'ImmutableQueue<int>' use List<int> or an array")]
    [TestCase("SortedDictionary<string, int>", "use Dictionary<string, int>")]
    [TestCase("KeyValuePair<string, int>", "use a record marked [PacketObject]")]
    [TestCase("System.Collections.ArrayList", "use a List or Dictionary that names what it holds")]
    [TestCase("Memory<byte>", "use ReadOnlyMemory<byte> or byte[]")]
    [TestCase("ArraySegment<int>", "instead of 'ArraySegment<int>' use an array")]
    [TestCase("Action", "instead of 'Action' use the values that the other side is to act on")]
    [TestCase("IDisposable",
        "'IDisposable' is of another assembly; declare a record with what is needed of it and mark that [PacketObject].")]
    [TestCase("Own", "mark 'Own' with [PacketObject].")]
    [TestCase("Own?", "mark 'Own' with [PacketObject].")]
    [TestCase("OwnList", "instead of 'OwnList' use a List, an array or a Dictionary")]
    [TestCase("IOwn", "of 'IOwn' no object can be made; use a type of which one can, marked [PacketObject]")]
    [TestCase("OwnBase", "of 'OwnBase' no object can be made")]
    [TestCase("OwnPair<int>",
        "'OwnPair<int>' is generic, which types marked [PacketObject] cannot be; declare a record with these values and mark that")]
    [TestCase("OwnCode", "instead of 'OwnCode' use the values that the other side is to act on")]
    public void What_is_advised_can_be_done(string type, string advice)
    {
        Compiler.Outcome outcome = Compiler.Run(Usings + $"public class Own; public class OwnList : List<int>; public interface IOwn; "
            + $"public abstract class OwnBase; public class OwnPair<T>; public delegate void OwnCode(); [Packet(1024)] public sealed partial "
            + $"record P({type} X);");
        Assert.That(outcome.Said.Select(d => d.Id), Is.EqualTo(new[] { "TRANSPORT005" }));
        Assert.That(outcome.Said[0].GetMessage(), Does.Contain(advice));
        Assert.That(outcome.Said[0].GetMessage(), Does.Contain("What travels: bool, numbers, string, byte[]"));
    }

    [Test]
    public void A_tuples_record_as_advised_travels()
    {
        Compiler.Outcome outcome = Compiler.Run(Usings
            + "[Packet(1024)] public sealed partial record P(Entry X); [PacketObject] public sealed partial record Entry(int Count, string? Name);");
        Assert.That(outcome.Said, Is.Empty);
        Assert.That(outcome.Compiler, Is.Empty);
    }

    [Test]
    public void A_type_of_another_project_is_marked_there_and_its_enums_travel()
    {
        MetadataReference built = Compiler.Image(Usings
            + "namespace Other; public class Part; [PacketObject] public sealed partial record Bare(int X); public enum Color : byte { Red }");
        Diagnostic[] said = Compiler.Said(
            built, Usings + "[Packet(1024)] public sealed partial record P(Other.Part X, Other.Bare Y, Other.Color Z);");
        Assert.That(said.Select(d => d.Id), Is.EqualTo(new[] { "TRANSPORT005", "TRANSPORT005" }));
        Assert.That(said[0].GetMessage(), Does.Contain("'Part' is of another assembly; declare a record with what is needed of it and "
            + "mark that [PacketObject], or mark it there where that project is yours"));
        Assert.That(said[1].GetMessage(),
            Does.Contain("'Bare' is marked, but its assembly has no formatter for it; let the generator run in that project too"));
    }
}
