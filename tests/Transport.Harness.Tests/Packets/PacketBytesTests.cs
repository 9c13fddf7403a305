using System;
using System.Buffers;
using BuildHarness.Packets;
using NUnit.Framework;
using Transport;

namespace BuildHarness.Tests.Packets;

/// <summary>The bodies of PACKETS.md, byte by byte.</summary>
internal sealed class PacketBytesTests
{
    [Test]
    public void Bodies_are_as_PACKETS_md_says()
    {
        var work = new ProjectWork("/a", [new("b", "1"), new("a", "\n")], ["t"], null, true);
        const string Work = "95a22f6182a162a131a161a10a91a174c0c3";
        var result = new WorkResult(true, [new TargetOutput("t", true, [new TargetItem("i", [new("m", "v")])])]);
        const string Result = "92c39193a174c39192a16981a16da176";
        Check(BuildProject.PacketType, 513, Lane.Normal, new BuildProject(7, work, true), "9307" + Work + "c3");
        Check(
            ProjectBuilt.PacketType, 514, Lane.Normal, new ProjectBuilt(7, result, null, 1, null, 5), "9607" + Result + "c001c005");
        Check(ProjectBuilt.PacketType, 514, Lane.Normal, new ProjectBuilt(7, new WorkResult(false, []), "no"), "960792c290a26e6f00c000");
        Check(StartSession.PacketType, 518, Lane.Normal, new StartSession([], null, ["a"]), "9390c091a161");
        Check(AskProject.PacketType, 519, Lane.Normal, new AskProject(1, 7, [work]), "93010791" + Work);
        Check(AnswerProject.PacketType, 534, Lane.Normal, new AnswerProject(1, result), "9201" + Result);
        Check(
            ProjectEvaluated.PacketType, 535, Lane.Normal, new ProjectEvaluated("/a", "f", true, "/o", "/l"), "96a22f61a166c3a22f6fa22f6cc2");
        Check(WatchProject.PacketType, 536, Lane.Normal, new WatchProject(7, 2), "920702");
        Check(ProjectStandsStill.PacketType, 537, Lane.Normal, new ProjectStandsStill(7, 2, 5), "93070205");
        Check(SendOutputs.PacketType, 538, Lane.Normal,
            new SendOutputs(7, OutputsWanted.Folder, new ProjectEvaluated("/a", "", false, "/o", "")), "93070196a22f61a0c2a22f6fa0c2");
        Check(OutputsSent.PacketType, 539, Lane.Normal, new OutputsSent(7), "9107");
        Check(StopWork.PacketType, 515, Lane.Urgent, new StopWork(StopWork.Done), "91a4646f6e65");
        Check(OutputFileBegin.PacketType, 521, Lane.Bulk, new OutputFileBegin(7, "a/b", 0x1A4, 1, 2), "9507a3612f62cd01a40102");
        Check(OutputFileBytes.PacketType, 522, Lane.Bulk, new OutputFileBytes(new byte[] { 1, 2 }), "91c4020102");
        Check(OutputFileEnd.PacketType, 523, Lane.Bulk, new OutputFileEnd(2, new byte[] { 9 }), "9202c40109");
        Check(OutputsEnd.PacketType, 524, Lane.Bulk, new OutputsEnd(7, 1, 2, null), "94070102c0");
        Check(OutputCredit.PacketType, 525, Lane.Urgent, new OutputCredit(300), "91cd012c");
        Check(OutputsTaken.PacketType, 526, Lane.Urgent, new OutputsTaken(7), "9107");
        Check(ReplayFile.PacketType, 516, Lane.Normal, new ReplayFile("/b", 9, "n1"), "93a22f6209a26e31");
        Check(LinkSample.PacketType, 520, Lane.Urgent, new LinkSample(1, 2, 3, 4, 5, 6), "96010203040506");
        Check(Replayed.PacketType, 517, Lane.Normal, new Replayed(70_000, "x"), "92ce00011170a178");
    }

    private static void Check<T>(PacketType<T> type, int id, Lane lane, T packet, string body)
    {
        var output = new ArrayBufferWriter<byte>();
        type.Formatter.Write(output, packet);
        Assert.That((type.Id, type.Name, type.Lane), Is.EqualTo(((ushort)id, typeof(T).Name, lane)));
        Assert.That(Convert.ToHexString(output.WrittenSpan), Is.EqualTo(body).IgnoreCase);
        T read = type.Formatter.Read(new ReadOnlySequence<byte>(output.WrittenMemory));
        output.Clear();
        type.Formatter.Write(output, read);
        Assert.That(Convert.ToHexString(output.WrittenSpan), Is.EqualTo(body).IgnoreCase);
    }
}
