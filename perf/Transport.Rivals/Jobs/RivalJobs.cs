using System.Globalization;
using Transport.Loads;
using Transport.Loads.Workers;

namespace Transport.Rivals.Jobs;

/// <summary>The jobs of this program's worker processes: <c>receive PEER/WHAT</c>, <c>send ADDRESS PEER/WHAT [NUMBER]</c>.</summary>
internal static class RivalJobs
{
    public static IJob Make(string[] args)
    {
        switch (args[0])
        {
            case "receive":
                string[] receiving = args[1].Split('/');
                return new ReceiveJob(receiving[0], receiving[1]);
            case "send":
                string[] sending = args[2].Split('/');
                int number = args.Length > 3 ? int.Parse(args[3], CultureInfo.InvariantCulture) : 0;
                return new SendJob(sending[0], sending[1], args[1], number);
            default:
                throw new LoadException($"There is no job '{args[0]}'.");
        }
    }
}
