using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using Transport.Logging;

namespace Transport.TestHost.Output;

/// <summary>A program that captures its own output: <c>stdio MODE FILE</c>. What was captured stands in FILE, one line a packet.</summary>
internal static class OutputMode
{
    private static readonly Dictionary<string, Action<string>> Modes = new(StringComparer.Ordinal)
    {
        ["all-ways"] = AllWays,
        ["long-line"] = LongLine,
        ["closed"] = file => Answered(file, SendResult.Closed),
        ["full"] = file => Answered(file, SendResult.Full),
        ["throw"] = file =>
        {
            _ = Start(file);
            Console.Error.WriteLine("captured before the end");
            throw new InvalidOperationException("last output");
        },
        ["no-dispose"] = file =>
        {
            _ = Start(file);
            Console.WriteLine("said and gone");
        },
        ["child-stays"] = ChildStays,
        ["only-stdout"] = OnlyStdout,
        ["many-threads"] = ManyThreads,
        ["worker"] = _ => Worker(fails: false).GetAwaiter().GetResult(),
        ["failing-worker"] = _ => Worker(fails: true).GetAwaiter().GetResult(),
    };

    public static int Run(string[] args)
    {
        if (args.Length != 3 || !Modes.TryGetValue(args[1], out Action<string>? mode))
        {
            Console.Error.WriteLine("usage: stdio MODE FILE; modes: " + string.Join(" ", Modes.Keys));
            return 2;
        }

        mode(args[2]);
        return 0;
    }

    private static StdioCapture Start(string file, SendResult answer = SendResult.Queued, StdioCaptureOptions? options = null)
    {
        object gate = new();
        return StdioCapture.Start(
            (o, _) =>
            {
                lock (gate)
                {
                    string stream = o.Stream == OutputStream.Out ? "out" : "err";
                    string text = o.Text.Length > 200 ? o.Text.Length + " characters" : o.Text;
                    File.AppendAllText(file, $"Std{stream}|{o.IsPartial}|{string.Join("+", o.Context ?? [])}|{text}\n");
                }

                return answer;
            },
            options);
    }

    private static void AllWays(string file)
    {
        Console.WriteLine("before");
        Console.Error.WriteLine("before err");
        using (Start(file))
        {
            Console.WriteLine("managed ü\ud83d\ude00");
            Console.Error.WriteLine("managed err");
            Native.WriteDirectly(1, "direct\r\n");
            Native.WriteDirectly(2, "direct err\n");
            Native.puts("native");
            Run("echo child; echo child err >&2");
            Console.Write("no ");
            Console.Write("end");
        }

        Console.WriteLine("after");
        Console.Error.WriteLine("after err");
        Native.WriteDirectly(1, "after direct\n");
        Run("echo after child");
    }

    private static void LongLine(string file)
    {
        using StdioCapture capture = Start(file);
        capture.Context = [4, 2];
        Console.WriteLine(new string('x', 150_000));
    }

    private static void Answered(string file, SendResult answer)
    {
        StdioCapture capture = Start(file, answer);
        Console.WriteLine("nobody takes it");
        Console.Error.WriteLine("nor this");
        capture.Dispose();
        Console.WriteLine($"sent {capture.Sent}, dropped {capture.Dropped}");
    }

    // The child keeps its copy of the pipe's write end until its stdin ends, which is when this process has ended.
    private static void ChildStays(string file)
    {
        var start = new ProcessStartInfo("/bin/sh", "-c \"echo from the child; cat > /dev/null\"")
        {
            UseShellExecute = false, RedirectStandardInput = true,
        };
        StdioCapture capture = Start(file);
        using Process child = Process.Start(start)!;
        SpinWait.SpinUntil(() => capture.Sent == 1, TimeSpan.FromSeconds(60));
        Console.WriteLine("mine");
        var watch = Stopwatch.StartNew();
        capture.Dispose();
        Console.WriteLine(watch.Elapsed < TimeSpan.FromSeconds(30) ? "in time" : $"too late: {watch.Elapsed}");
    }

    private static void OnlyStdout(string file)
    {
        using StdioCapture capture = Start(file, options: new StdioCaptureOptions { Stderr = false });
        Console.WriteLine("captured");
        Console.Error.WriteLine("not captured");
    }

    private static void ManyThreads(string file)
    {
        using StdioCapture capture = Start(file);
        Thread[] threads = Enumerable.Range(0, 4).Select(t => new Thread(() =>
        {
            for (int i = 0; i < 500; i++)
            {
                Console.WriteLine($"thread {t} line {i}");
            }
        })).ToArray();
        Array.ForEach(threads, t => t.Start());
        Array.ForEach(threads, t => t.Join());
    }

    // A worker of a main node: what it prints and what it logs travel over the same link.
    private static async Task Worker(bool fails)
    {
        await using Link link = await WorkerHost.ConnectAsync().ConfigureAwait(false);
        Console.WriteLine("to the parent's pipe");
        using (StdioCapture capture = StdioCapture.Start(link))
        {
            for (int i = 0; i < 100; i++)
            {
                Console.WriteLine($"line {i}");
            }

            Native.WriteDirectly(2, "from native code\n");
            if (fails)
            {
                throw new InvalidOperationException("last output");
            }
        }

        _ = link.Log(LogLevel.Information, "c", "after the capture");
        await link.CloseAsync().ConfigureAwait(false);
    }

    private static void Run(string command)
    {
        using Process child = Process.Start(new ProcessStartInfo("/bin/sh", $"-c \"{command}\"") { UseShellExecute = false })!;
        child.WaitForExit();
    }
}
