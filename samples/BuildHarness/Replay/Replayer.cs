using System;
using BuildHarness.Events;
using BuildHarness.Packets;

namespace BuildHarness.Replay;

/// <summary>The worker's side of <c>replay</c>.</summary>
internal static class Replayer
{
    public static Replayed Send(string file, Action<BuildEvent> send)
    {
        long events = 0;
        try
        {
            RecordedBuild.Read(file, one =>
            {
                send(one);
                events++;
            });
            return new Replayed(events, Error: null);
        }
        catch (UnreadableException e)
        {
            return new Replayed(events, e.Message);
        }
    }
}
