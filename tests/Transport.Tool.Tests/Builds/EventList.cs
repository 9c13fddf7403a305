using System.Collections.Generic;
using System.Linq;
using Transport.MSBuild;

namespace Transport.Tool.Tests.Builds;

/// <summary>Events of a build, for comparisons.</summary>
internal static class EventList
{
    /// <summary>Reads a journal.</summary>
    public static List<BuildEvent> OfJournal(string directory)
    {
        using BuildLog log = BuildLog.Open(directory);
        return [.. log.ReadAll().Select(one => one.Event)];
    }

    /// <summary>Reads a binary log, which has no threads, without what MSBuild's binary logger says of itself.</summary>
    public static List<BuildEvent> OfBinaryLog(string path)
    {
        var events = new List<BuildEvent>();
        BinaryLog.Read(path, events.Add);
        events.RemoveAll(one => one.Sender == "BinaryLogger");
        return events;
    }

    /// <summary>One line for each event with all of its fields but the thread, which a binary log does not have.</summary>
    public static string Line(BuildEvent one)
    {
        using var buffer = new System.IO.MemoryStream();
        using (var json = new System.Text.Json.Utf8JsonWriter(buffer))
        {
            BuildEventJson.Write(json, WithoutThread(one));
        }

        return System.Text.Encoding.UTF8.GetString(buffer.ToArray());
    }

    private static BuildEvent WithoutThread(BuildEvent one) => new()
    {
        Kind = one.Kind,
        TypeName = one.TypeName,
        Ticks = one.Ticks,
        TimeKind = one.TimeKind,
        Sender = one.Sender,
        Message = one.Message,
        HelpKeyword = one.HelpKeyword,
        Context = one.Context,
        Fields = one.Fields,
    };
}
