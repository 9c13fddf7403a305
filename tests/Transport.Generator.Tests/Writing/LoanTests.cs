using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>Bytes on loan do not outlive their handler or loop turn: programs that keep them do not compile, in any version of C#.</summary>
internal sealed class LoanTests
{
    private static readonly LanguageVersion[] s_versions =
        [LanguageVersion.CSharp7_3, LanguageVersion.CSharp9, LanguageVersion.CSharp12, LanguageVersion.CSharp14];

    /// <summary>Each was written from the guides, compiled, and read other packets' bytes. Behind it, what the compiler says.</summary>
    private static readonly string[][] s_kept =
    [
        ["var list = new List<RawPacket>(); router.OnRaw(2000, packet => list.Add(packet));", "CS9244"],
        ["var queue = new ConcurrentQueue<RawPacket>(); router.OnUnknown(queue.Enqueue);", "CS9244"],
        ["RawPacket last; router.OnRaw(2000, packet => { last = packet; });", "CS8175"],
        ["router.OnRaw(2000, packet => { object kept = packet; });", "CS0029"],
        ["router.OnRaw(2000, packet => Task.Run(() => Show(packet.Type)));", "CS9108"],
        ["router.OnRaw(2000, async packet => { await Task.Yield(); Show(packet.Type); });", "CS4012"],
        ["router.OnUnknown(async packet => await Task.Yield());", "CS4012"],
        ["var bodies = new List<ReadOnlySpan<byte>>(); router.OnRaw(2000, packet => bodies.Add(packet.Body));", "CS9244"],
        ["var list = new List<JournalRecord>(); foreach (JournalRecord record in reader) { list.Add(record); }", "CS9244"],
        ["JournalRecord last; reader.Read(record => { last = record; });", "CS8175"],
        ["reader.Read(async record => { await Task.Yield(); Show(record.Type); });", "CS4012"],
        ["JournalRecord[] all = null;", "CS0611"],
        ["} RawPacket _last; void More() {", "CS8345"],
        ["} JournalRecord _last; void More() {", "CS8345"],
    ];

    /// <summary>A loan over an await, in an asynchronous method: up to C# 12 those have no ref structs at all.</summary>
    private static readonly string[] s_awaited =
    [
        "foreach (JournalRecord record in reader) { await Task.Yield(); Show(record.Type); }",
        "JournalRecord record; if (reader.TryRead(out record)) { await Task.Yield(); Show(record.Type); }",
        "RawPacket packet = lease.Packet; await Task.Yield(); Show(packet.Type);",
    ];

    private static readonly string[] s_right =
    [
        "var list = new List<byte[]>(); router.OnRaw(2000, packet => list.Add(packet.ToArray()));",
        "var list = new List<string>(); router.OnRaw(2000, packet => list.Add(packet.Read(type)));",
        "router.OnRaw(2000, packet => SaveAsync(packet.Lease()));",
        "router.OnRaw(2000, packet => packet.OpenStream().CopyToAsync(stream));",
        "router.OnUnknown(packet => { });",
        "foreach (JournalRecord record in reader) { Show(record.Type, record.Body.Length, record.Read(type)); }",
        "JournalRecord one; while (reader.TryRead(out one)) { Show(one.ToArray()); }",
        "reader.Read(record => Show(record.Read(type)));",
    ];

    private static readonly string[] s_rightAwaited =
    [
        "while (await reader.WaitAsync()) { reader.Read(record => Show(record.Read(type))); }",
        "while (reader.Read(record => Show(record.ToArray()), 1) == 1) { await Task.Yield(); }",
        "await stream.WriteAsync(lease.Packet.ToArray(), 0, 1); Show(lease.Packet.Read(type));",
        "await lease.Packet.OpenStream().CopyToAsync(stream);",
    ];

    [Test]
    public void What_keeps_a_loan_does_not_compile(
        [ValueSource(nameof(s_versions))] LanguageVersion version, [ValueSource(nameof(s_kept))] string[] program) =>
        Assert.That(Errors(version, program[0], isAsync: false), Has.Some.StartsWith(program[1]));

    [Test]
    public void What_keeps_a_loan_over_an_await_does_not_compile(
        [ValueSource(nameof(s_versions))] LanguageVersion version, [ValueSource(nameof(s_awaited))] string statements) => Assert.That(
            Errors(version, statements, isAsync: true),
            Is.Not.Empty.And.All.Contains(version > LanguageVersion.CSharp12 ? "CS4007" : "'ref and unsafe in async and iterator methods'"));

    [Test]
    public void What_copies_decodes_or_takes_a_lease_compiles(
        [ValueSource(nameof(s_versions))] LanguageVersion version, [ValueSource(nameof(s_right))] string statements) =>
        Assert.That(Errors(version, statements, isAsync: false), Is.Empty);

    [Test]
    public void What_an_asynchronous_method_does_instead_compiles(
        [ValueSource(nameof(s_versions))] LanguageVersion version, [ValueSource(nameof(s_rightAwaited))] string statements) =>
        Assert.That(Errors(version, statements, isAsync: true), Is.Empty);

    private static IEnumerable<string> Errors(LanguageVersion version, string statements, bool isAsync)
    {
        string program = $$"""
            using System;
            using System.Collections.Concurrent;
            using System.Collections.Generic;
            using System.IO;
            using System.Threading.Tasks;
            using Transport;
            using Transport.Journal;

            public sealed class Program
            {
                public {{(isAsync ? "async Task RunAsync" : "void Run")}}(
                    PacketRouter router, JournalReader reader, PacketType<string> type, Stream stream, PacketLease lease)
                {
                    {{statements}}
                }

                private static void Show(params object[] what) { }
                private static async Task SaveAsync(PacketLease packet) { await Task.Yield(); Show(packet.Packet.ToArray()); }
            }
            """;
        CSharpCompilation compilation = Compiler.Compile(version, program);
        CSharpCompilationOptions options = compilation.Options.WithNullableContextOptions(NullableContextOptions.Disable)
            .WithGeneralDiagnosticOption(ReportDiagnostic.Default);
        using var image = new MemoryStream();   // an await is looked at when code is emitted
        return compilation.WithOptions(options).Emit(image).Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error)
            .Select(d => $"{d.Id} {d.GetMessage(System.Globalization.CultureInfo.InvariantCulture)}").ToArray();
    }
}
