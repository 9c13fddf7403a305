using System;
using System.Collections.Generic;
using System.IO;
using BuildHarness.Journaling;
using BuildHarness.Packets;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Replay;

/// <summary>The worker's side of <c>replay</c>.</summary>
internal static class Replayer
{
    public static Replayed Send(
        ReplayFile file, Action<BuildEvent> send, Action<PacketType<ReadOnlyMemory<byte>>, ReadOnlyMemory<byte>> sendRaw)
    {
        long events = 0;
        var types = new Dictionary<int, PacketType<ReadOnlyMemory<byte>>>();
        try
        {
            if (Directory.Exists(file.Path))
            {
                RecordedJournal.Read(file.Path, file.Through, file.Node, (_, one) => Take(one), (_, type, body) => TakeRaw(type, body));
            }
            else
            {
                BinaryLog.Read(file.Path, Take);
            }

            return new Replayed(events, Error: null);
        }
        catch (InvalidDataException e)
        {
            return new Replayed(events, e.Message);
        }

        void Take(BuildEvent one)
        {
            send(one);
            events++;
        }

        void TakeRaw(ushort type, ReadOnlyMemory<byte> body)
        {
            if (!types.TryGetValue(type, out PacketType<ReadOnlyMemory<byte>>? known))
            {
                types.Add(type, known = new(type, $"type {type}", new RawFormatter()));
            }

            sendRaw(known, body);
            events++;
        }
    }
}
