using System;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Testing;

/// <summary>A few lines of C, compiled for one test; the test is ignored if there is no gcc.</summary>
internal static class CompiledC
{
    /// <summary>Uses up its stack. As a program it says its last output first.</summary>
    public const string Recursion = """
        #include <unistd.h>
        int recurse(volatile int depth) { volatile char page[4096]; page[0] = (char)depth; return recurse(depth + 1) + page[0]; }
        int main(void) { return write(2, "last output\n", 11) == 11 ? recurse(0) : 1; }
        """;

    /// <summary>Gets a program that runs another one without sockets.</summary>
    public static string Sandbox => File.ReadAllText(Path.Combine(Repository.Root, "tests", "clients", "nosock.c"));

    public static Task<string> Program(string folder, string source) => Compile(folder, source, []);

    public static Task<string> Library(string folder, string source) => Compile(folder, source, ["-shared", "-fPIC"]);

    private static async Task<string> Compile(string folder, string source, string[] options)
    {
        string input = Path.Combine(folder, "source.c"), output = Path.Combine(folder, "compiled");
        File.WriteAllText(input, source);
        ChildProcess? gcc = null;
        try
        {
            gcc = ChildProcess.Start(new ProcessStartOptions("gcc", ["-O0", .. options, "-o", output, input]));
        }
        catch (TransportException e) when (e.Code == "not-found")
        {
            Assert.Ignore("needs gcc (Debian: apt-get install gcc libc6-dev): " + e.Message);
        }

        ProcessExit end = await gcc!.WaitForExitAsync().Within("gcc").ConfigureAwait(false);
        Assert.That(end.IsSuccess, Is.True, () => string.Join(Environment.NewLine, gcc.LastErrorLines));
        return output;
    }
}
