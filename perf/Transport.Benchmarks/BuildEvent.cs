using System;
using System.Text;

namespace Transport.Benchmarks;

/// <summary>The log event of the comparison with other libraries: about 252 bytes as MessagePack.</summary>
[Packet(1024)]
internal sealed partial record BuildEvent(long Id, long Ticks, int Importance, int Project, int Target, string Sender, string Message)
{
    /// <summary>Events as a build makes them: sender of 3 to 26 characters, message of 40 to 400, one in 32 with a character beyond
    /// ASCII.</summary>
    public static BuildEvent[] Make(int count)
    {
        var random = new Random(20_260_101);
        var events = new BuildEvent[count];
        for (int i = 0; i < count; i++)
        {
            var message = new StringBuilder($"Task {i:x8} of project {random.Next(500)}: ");
            int length = 40 + random.Next(361);
            while (message.Length < length)
            {
                message.Append((char)('a' + random.Next(26)));
            }

            if (i % 32 == 0)
            {
                message[20] = 'é';
            }

            events[i] = new BuildEvent(
                i,
                638_000_000_000_000_000 + (i * 10_000L),
                random.Next(3),
                random.Next(500),
                random.Next(2000),
                new string('s', random.Next(3, 27)),
                message.ToString(0, length));
        }

        return events;
    }
}
