using System;
using System.Collections.Generic;
using System.IO;
using NUnit.Framework;
using Transport.Logging;

namespace Transport.Tests.Logging;

/// <summary>The capture if descriptors cannot be redirected: what goes through Console.</summary>
[NonParallelizable]
public sealed class ConsoleSourceTests
{
    [Test]
    public void Prints_become_lines_and_a_print_from_inside_goes_to_the_original()
    {
        TextWriter before = Console.Out;
        var original = new StringWriter { NewLine = "\n" };
        Console.SetOut(original);
        try
        {
            var lines = new List<string>();
            var source = new ConsoleSource(
                new LineSplitter((text, _) =>
                {
                    lines.Add(text);
                    Console.WriteLine("from inside");
                }),
                stderr: null);
            source.Start();
            Console.WriteLine("one");
            Console.Write('t');
            Console.Write("w{0}", "o");
            Console.WriteLine();
            Console.Write("no end");
            source.Stop(TimeSpan.FromSeconds(1));
            Console.WriteLine("after");
            Assert.That(lines, Is.EqualTo(new[] { "one", "two", "no end" }));
            Assert.That(original.ToString(), Is.EqualTo("from inside\nfrom inside\nfrom inside\nafter\n"));
        }
        finally
        {
            Console.SetOut(before);
        }
    }
}
