using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Tails;

internal sealed class TailFileTests
{
    [Test]
    public async Task Two_threads_may_read_one_tail_and_each_gets_all_of_it()
    {
        const int Size = 64 << 10;
        using var folder = new TestFolder();
        using TailFile file = TailFile.Create(Path.Combine(folder.Path, "1-00000000.tail"), Size);
        byte[] left = [.. Enumerable.Range(0, Size).Select(i => (byte)(i % 251))];
        File.WriteAllBytes(file.Path, left);
        await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => WireReading.OnThread(() =>
        {
            for (int i = 0; i < 2_000; i++)
            {
                byte[] bytes = file.Read(out string? problem);
                Assert.That(problem, Is.Null);
                Assert.That(bytes.AsSpan().SequenceEqual(left), Is.True, "what was left");
            }
        }))).Within("both readers");
    }
}
