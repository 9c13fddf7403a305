using System;
using System.IO;
using System.Threading.Tasks;
using Transport.Files;

namespace Transport.FileTable;

/// <summary>Measures writing files on the user's own disk: <c>table</c>, and <c>many</c> for one run of many small files.</summary>
internal static class Program
{
    private const string Usage = """
        fileio table DIR [--seconds S] [--sizes 1,1024,...]
        fileio many DIR [--files N] [--folders N] [--size BYTES] [--writers N] [--io stream|mmap] [--times]
                        [--sync none|data|all] [--rounds N] [--budget MB] [--trace FILE.json] [--net]
        """;

    private static async Task<int> Main(string[] arguments)
    {
        try
        {
            if (arguments.Length < 2)
            {
                throw new FormatException("a command and a directory are needed");
            }

            var words = new Words(arguments.AsSpan(2).ToArray());
            return arguments[0] switch
            {
                "table" => await Table.RunAsync(arguments[1], words).ConfigureAwait(false),
                "many" => await Many.RunAsync(arguments[1], words).ConfigureAwait(false),
                _ => throw new FormatException($"no command '{arguments[0]}'"),
            };
        }
        catch (Exception wrong) when (wrong is FormatException or TransportException or IOException)
        {
            await Console.Error.WriteLineAsync($"fileio: {wrong.Message}\n{Usage}").ConfigureAwait(false);
            return 1;
        }
    }
}
