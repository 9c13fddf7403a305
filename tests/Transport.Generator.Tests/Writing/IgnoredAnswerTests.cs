using System;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using NUnit.Framework;
using Transport.Generator.Analysis;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>TRANSPORT030: a send whose answer nobody looks at. The part in {|…|} is what is marked.</summary>
internal sealed class IgnoredAnswerTests
{
    private const string Around = """
        using System;
        using System.Threading.Tasks;
        using Transport;

        public sealed class Sender(Link link, Link? perhaps, PacketType<string> type)
        {
            public async Task RunAsync()
            {
                await Task.Yield();
                BODY
            }

            private SendResult Own() => link.TrySend(type, "own");
        }

        public sealed class Known : IPacket<Known>
        {
            public static PacketType<Known> PacketType => throw new NotSupportedException();
            PacketType<Known> IPacket<Known>.PacketType => PacketType;
        }
        """;

    /// <summary>Mistakes that the compiler finds, so no send can make them.</summary>
    [TestCase("_ = link.TrySend(null);")]
    [TestCase("_ = link.TrySend();")]
    [TestCase("_ = link.TrySend(new object());")]
    [TestCase("_ = link.TrySend(type);")]
    [TestCase("new PacketRouter().On<object>(_ => { });")]
    public void What_is_no_packet_does_not_compile(string body) =>
        Assert.That(Errors(body, LanguageVersion.Latest).Except(Errors(string.Empty, LanguageVersion.Latest)), Is.Not.Empty);

    [TestCase("{|link.TrySend(type, \"x\")|};", "TrySend")]
    [TestCase("{|link.TrySend(new Known())|};", "TrySend")]
    [TestCase("{|await link.SendAsync(new Known())|};", "SendAsync")]
    [TestCase("{|link.TrySendRaw(1024, new byte[1])|};", "TrySendRaw")]
    [TestCase("{|link.Send(type, \"x\", TimeSpan.Zero)|};", "Send")]
    [TestCase("{|await link.SendAsync(type, \"x\")|};", "SendAsync")]
    [TestCase("{|await link.SendAsync(type, \"x\").ConfigureAwait(false)|};", "SendAsync")]
    [TestCase("{|link.SendAsync(type, \"x\")|};", "SendAsync")]
    [TestCase("{|link.SendAsync(type, \"x\").AsTask()|};", "SendAsync")]
    [TestCase("{|link.SendAsync(type, \"x\").AsTask().GetAwaiter().GetResult()|};", "SendAsync")]
    [TestCase("{|perhaps?.TrySend(type, \"x\")|};", "TrySend")]
    [TestCase("{|perhaps!.TrySend(type, \"x\")|};", "TrySend")]
    [TestCase("{|Own()|};", "Own")]
    [TestCase("Action send = () => {|link.TrySend(type, \"x\")|}; send();", "TrySend")]
    [TestCase("Func<Task> send = async () => {|await link.SendAsync(type, \"x\")|}; await send();", "SendAsync")]
    [TestCase("void Send() => {|link.TrySend(type, \"x\")|}; Send();", "TrySend")]
    [TestCase("for (int i = 0; i < 3; {|link.TrySend(type, \"x\")|}) { i++; }", "TrySend")]
    [TestCase("new PacketRouter().On(type, (text, _) => {|link.TrySend(type, text)|});", "TrySend", "give what is called '_' here another name and ")]
    [TestCase("Task Lost() => {|link.SendAsync(type, \"x\").AsTask()|}; await Lost();", "SendAsync")]
    [TestCase("Func<Task> lost = () => {|link.SendAsync(type, \"x\").AsTask()|}; await lost();", "SendAsync")]
    [TestCase("Task lost = {|link.SendAsync(type, \"x\").AsTask()|}; await lost;", "SendAsync")]
    [TestCase("await Task.WhenAll(new Task[] { {|link.SendAsync(type, \"x\").AsTask()|} });", "SendAsync")]
    [TestCase("Action<int, int> two = (_, _) => {|link.TrySend(type, \"x\")|}; two(1, 2);", "TrySend")]
    public async Task An_ignored_answer_is_warned_of(string body, string call, string renaming = "")
    {
        var source = new AnalyzedSource(Around, body);
        Diagnostic one = (await source.RunAsync(new SendResultAnalyzer())).Single();
        Assert.That(one.Id, Is.EqualTo("TRANSPORT030"));
        Assert.That(one.GetMessage(CultureInfo.InvariantCulture), Is.EqualTo(
            $"The result of '{call}' is ignored: with Full or Closed the packet is not sent. Look at the SendResult "
            + $"(SendAsync waits for capacity, so it returns Queued or Closed), or {renaming}write '_ =' if the packet may be lost."));
        Assert.That(one.Severity, Is.EqualTo(DiagnosticSeverity.Warning));
        Assert.That(AnalyzedSource.MarkedBy(one), Is.EqualTo(source.Marked));
    }

    [TestCase("_ = link.TrySend(type, \"x\");")]
    [TestCase("_ = await link.SendAsync(type, \"x\");")]
    [TestCase("_ = link.SendAsync(type, \"x\").AsTask();")]
    [TestCase("Task<SendResult> Kept() => link.SendAsync(type, \"x\").AsTask(); _ = await Kept();")]
    [TestCase("SendResult[] all = await Task.WhenAll(link.SendAsync(type, \"x\").AsTask(), link.SendAsync(type, \"y\").AsTask()); _ = all;")]
    [TestCase("_ = (Task)link.SendAsync(type, \"x\").AsTask();")]
    [TestCase("SendResult result; result = link.TrySend(type, \"x\"); _ = result;")]
    [TestCase("if (link.TrySend(type, \"x\") == SendResult.Full) { }")]
    [TestCase("Func<SendResult> send = () => link.TrySend(type, \"x\"); _ = send();")]
    [TestCase("await link.CloseAsync();")]
    [TestCase("link.SetLevels(new LevelRules(PacketLevel.Warning));")]
    public async Task An_answer_that_somebody_takes_or_throws_away_by_name_is_fine(string body) =>
        Assert.That(await new AnalyzedSource(Around, body).RunAsync(new SendResultAnalyzer()), Is.Empty);

    private static string[] Errors(string body, LanguageVersion version) => [.. Compiler.Compile(
        version, Around.Replace("BODY", body, StringComparison.Ordinal)).GetDiagnostics()
        .Where(d => d.Severity == DiagnosticSeverity.Error && !d.IsWarningAsError)
        .Select(d => d.Id + d.GetMessage(CultureInfo.InvariantCulture))];
}
