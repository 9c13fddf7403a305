using System;
using System.Buffers;
using NUnit.Framework;

namespace Transport.MSBuild.Tests.Packets;

/// <summary>The bodies of docs/reference/build-events.md, byte by byte.</summary>
internal sealed class PacketBytesTests
{
    [Test]
    public void Bodies_are_as_the_page_says()
    {
        Check(BuildProject.PacketType, 513, Lane.Normal, new BuildProject(7, "/a", [new("b", "1"), new("a", "\n")]),
            "9607a22f6182a162a131a161a10a00a0c0");
        Check(BuildProject.PacketType, 513, Lane.Normal, new BuildProject(7, "/a", [], OutputsWanted.Folder, "/o", ["t"]),
            "9607a22f618001a22f6f91a174");
        Check(ProjectBuilt.PacketType, 514, Lane.Normal, new ProjectBuilt(7, true, 300, null), "9407c3cd012cc0");
        Check(ProjectBuilt.PacketType, 514, Lane.Normal, new ProjectBuilt(7, false, 0, "no"), "9407c200a26e6f");
        Check(StopWork.PacketType, 515, Lane.Urgent, new StopWork(StopWork.Done), "91a4646f6e65");
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
