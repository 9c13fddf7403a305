using System;
using System.Globalization;
using System.Threading.Tasks;

namespace Transport.Life;

/// <summary>
/// The life of a worker, from its start to its exit report, beside a bare socket program of the same kind. <c>life measure FOLDER
/// [ROUNDS]</c> compares what perf/life.sh has published there; <c>life worker …</c> is one of the measured workers.
/// </summary>
internal static class Program
{
    private const int Rounds = 15;

    private static async Task<int> Main(string[] args)
    {
        switch (args)
        {
            case ["measure", { } folder, ..]:
                int rounds = args.Length > 2 ? int.Parse(args[2], CultureInfo.InvariantCulture) : Rounds;
                Console.WriteLine(await new Measurement(folder, rounds).RunAsync().ConfigureAwait(false));
                return 0;
            case ["worker", ..]:
                return await Worker.RunAsync(args).ConfigureAwait(false);
            default:
                Console.Error.WriteLine("usage: life measure FOLDER [ROUNDS]");
                return 2;
        }
    }
}
