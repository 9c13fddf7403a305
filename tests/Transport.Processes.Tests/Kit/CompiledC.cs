using System;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Kit;

/// <summary>A few lines of C, compiled for one test; the test is ignored if there is no gcc.</summary>
internal static class CompiledC
{
    /// <summary>Uses up its stack. As a program it says its last output first.</summary>
    public const string Recursion = """
        #include <unistd.h>
        int recurse(volatile int depth) { volatile char page[4096]; page[0] = (char)depth; return recurse(depth + 1) + page[0]; }
        int main(void) { return write(2, "last output\n", 11) == 11 ? recurse(0) : 1; }
        """;

    public static async Task<string> Program(TestFolder folder, string source) => await Compile(folder, source, []).ConfigureAwait(false);

    public static async Task<string> Library(TestFolder folder, string source) =>
        await Compile(folder, source, ["-shared", "-fPIC"]).ConfigureAwait(false);

    private static async Task<string> Compile(TestFolder folder, string source, string[] options)
    {
        string input = Path.Combine(folder.Path, "source.c"), output = Path.Combine(folder.Path, "compiled");
        File.WriteAllText(input, source);
        var lines = new Lines();
        ChildProcess? gcc = null;
        try
        {
            gcc = ChildProcess.Start(new WorkerStartOptions("gcc", ["-O0", .. options, "-o", output, input]) { Output = lines.Take });
        }
        catch (TransportException e) when (e.Code == "not-found")
        {
            Assert.Ignore("needs gcc (Debian: apt-get install gcc libc6-dev): " + e.Message);
        }

        ProcessExit end = await gcc!.WaitForExitAsync().Within("gcc").ConfigureAwait(false);
        Assert.That(end.IsSuccess, Is.True, () => string.Join(Environment.NewLine, lines.Of(isError: true)));
        return output;
    }
}
