using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>The fifth element of a Request, by a peer that writes the bytes itself.</summary>
internal sealed class RawTraces
{
    private const string Valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static IEnumerable<TestCaseData> Elements()
    {
        TestCaseData Row(string name, string? seen, int malformed, params byte[] element) =>
            new TestCaseData(element, seen, malformed).SetArgDisplayNames(name);
        yield return Row("none", null, 0);
        yield return Row("nil", null, 0, 0xc0);
        yield return Row("a context", Valid, 0, Bodies.Value(Valid));
        yield return Row("a later version's longer context", null, 1, Bodies.Value("cc" + Valid.Substring(2) + "-more"));
        yield return Row("another text", null, 1, Bodies.Value("nonsense"));
        yield return Row("zeros", null, 1, Bodies.Value("00-00000000000000000000000000000000-0000000000000000-01"));
        yield return Row("a number", null, 1, 5);
        yield return Row("a map", null, 1, 0x81, 1, 2);
        yield return Row("a text of 60,000 characters", null, 1, Bodies.Value(new string('0', 60_000)));
    }

    [TestCaseSource(nameof(Elements))]
    public async Task A_context_that_is_none_is_ignored_and_counted_and_the_question_answered(byte[] element, string? seen, int malformed)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(WireKinds.Unix);
        await using RawPeer rawPeer = peer;
        string? current = "not asked";
        main.Start(new PacketRouter().OnRequest<string, string>(TestPackets.Text, TestPackets.Text, (_, _) =>
        {
            current = TransportTracing.Current;
            return Task.FromResult("answer");
        }));
        byte[] question = Bodies.Value("?");
        byte head = (byte)(element.Length == 0 ? 0x94 : 0x95);
        peer.Send(2, 272, [head, 1, 0xcd, 4, 1, 0xc4, (byte)question.Length, .. question, 0xc0, .. element]);
        RawFrame answer = (await peer.ReadUntilAsync(273)).Last();
        Assert.That(answer.Body.Take(3), Is.EqualTo(new byte[] { 0x94, 1, 0 }), "done");
        Assert.That((current, main.Counters.MalformedTraceParents), Is.EqualTo((seen, (long)malformed)));
        Assert.That(Activity.Current, Is.Null);
    }
}
