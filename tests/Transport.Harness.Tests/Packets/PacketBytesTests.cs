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
        Check(BuildProject.PacketType, 513, Lane.Normal, new BuildProject(7, "/a", [new("b", "1"), new("a", "\n")]),
            "9607a22f6182a162a131a161a10a00a0c0");
        Check(BuildProject.PacketType, 513, Lane.Normal, new BuildProject(7, "/a", [], OutputsWanted.Folder, "/o", ["t"]),
            "9607a22f618001a22f6f91a174");
        Check(ProjectBuilt.PacketType, 514, Lane.Normal, new ProjectBuilt(7, true, 300, null, 5), "9507c3cd012cc005");
        Check(ProjectBuilt.PacketType, 514, Lane.Normal, new ProjectBuilt(7, false, 0, "no"), "9507c200a26e6f00");
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
