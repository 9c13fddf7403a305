using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Logging;
using Transport.Tests.Packets;

namespace Transport.Tests.Logging;

/// <summary>Python reads events at random that we wrote, says what it saw, and writes them again for us.</summary>
public sealed class LogPython
{
    [Test]
    public void Python_sees_and_writes_the_same_events()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        LogEvent[] events = Enumerable.Range(0, 300).Select(_ => RandomEvent(random)).ToArray();
        string folder = Path.Combine(TestContext.CurrentContext.WorkDirectory, "log-python-" + Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(folder);
        try
        {
            string ours = Path.Combine(folder, "ours.bin");
            string theirs = Path.Combine(folder, "theirs.bin");
            byte[] encoded = events.SelectMany(e => LogBytes.Of(LogEvent.PacketType, e)).ToArray();
            File.WriteAllBytes(ours, encoded);
            string[] expected = events.Select(Shown).ToArray();
            Assert.That(Run(ours, theirs), Is.EqualTo(expected), "what Python read of ours");
            Assert.That(ReadAll(File.ReadAllBytes(theirs)).Select(Shown), Is.EqualTo(expected), "what we read of Python's");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static IEnumerable<LogEvent> ReadAll(byte[] bytes)
    {
        for (int at = 0; at < bytes.Length;)
        {
            var reader = new PacketReader(bytes.AsSpan(at));
            reader.Skip();
            int length = reader.Consumed;
            yield return LogBytes.Read(LogEvent.PacketType, bytes.AsSpan(at, length).ToArray());
            at += length;
        }
    }

    private static LogEvent RandomEvent(Random random) => new()
    {
        Time = new DateTimeOffset(random.Next(1, 9999), 1, 1, 0, 0, 0, TimeSpan.Zero).AddTicks(random.Next()),
        Level = (LogLevel)random.Next(6),
        Category = RandomText(random),
        EventId = random.Next(int.MinValue, int.MaxValue),
        Message = RandomText(random),
        Context = random.Next(3) == 0 ? null : Enumerable.Range(0, random.Next(20)).Select(_ => random.Next(-70_000, 70_000)).ToArray(),
        Properties = Enumerable.Range(0, random.Next(20)).Select(i => new LogProperty(i + ":" + RandomText(random), RandomValue(random)))
            .ToArray(),
        Exception = random.Next(2) == 0 ? null : RandomText(random),
    };

    private static LogValue RandomValue(Random random) => random.Next(5) switch
    {
        0 => default,
        1 => RandomText(random),
        2 => ((long)random.Next(int.MinValue, int.MaxValue) << random.Next(33)) + random.Next(),
        3 => random.NextDouble() * Math.Pow(10, random.Next(-300, 300)),
        _ => random.Next(2) == 0,
    };

    private static string RandomText(Random random) =>
        string.Concat(Enumerable.Range(0, random.Next(random.Next(10) == 0 ? 300 : 12)).Select(_ => random.Next(6) switch
        {
            0 => "ü",
            1 => "\ud83d\ude00",
            2 => "\n",
            _ => ((char)random.Next(32, 127)).ToString(),
        }));

    // The words of interop/log_check.py.
    private static string Shown(LogEvent e)
    {
        long ticks = e.Time.UtcTicks - new DateTimeOffset(1970, 1, 1, 0, 0, 0, TimeSpan.Zero).UtcTicks;
        long seconds = (ticks - (((ticks % TimeSpan.TicksPerSecond)
            + TimeSpan.TicksPerSecond) % TimeSpan.TicksPerSecond)) / TimeSpan.TicksPerSecond;
        long nanoseconds = (ticks - (seconds * TimeSpan.TicksPerSecond)) * 100;
        string context = e.Context is null ? "nil" : "[" + string.Join(",", e.Context.Select(c => Shown((long)c))) + "]";
        string properties = e.Properties.Count == 0 ? "nil" : "{"
            + string.Join(",", e.Properties.Select(p => Shown(p.Name) + ":" + Shown(p.Value))) + "}";
        return $"[T{Text(seconds)}.{nanoseconds.ToString("D9", CultureInfo.InvariantCulture)},"
            + $"{Shown((long)(int)e.Level)},{Shown(e.Category)},{Shown((long)e.EventId)},"
            + $"{Shown(e.Message)},{context},{properties},{(e.Exception is null ? "nil" : Shown(e.Exception))}]";
    }

    private static string Shown(LogValue value) => value.Kind switch
    {
        LogValueKind.Text => "S" + Json(value.Text!),
        LogValueKind.Integer => "I" + Text(value.Integer),
        LogValueKind.Number => "F" + PythonHex(value.Number),
        LogValueKind.Boolean => value.Boolean ? "true" : "false",
        _ => "nil",
    };

    private static string Text(long value) => value.ToString(CultureInfo.InvariantCulture);

    private static string Json(string text)
    {
        var json = new StringBuilder("\"");
        foreach (char c in text)
        {
            _ = c switch
            {
                '"' => json.Append("\\\""),
                '\\' => json.Append("\\\\"),
                '\n' => json.Append("\\n"),
                >= ' ' and < '\u007f' => json.Append(c),
                _ => json.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture)),
            };
        }

        return json.Append('"').ToString();
    }

    private static string PythonHex(double value)
    {
        long bits = BitConverter.DoubleToInt64Bits(value);
        long exponent = (bits >> 52) & 0x7ff;
        string sign = bits < 0 ? "-" : string.Empty;
        return bits << 1 == 0 ? sign + "0x0.0p+0"
            : $"{sign}0x{(exponent == 0 ? 0 : 1)}.{(bits & 0xfffffffffffff).ToString("x13", CultureInfo.InvariantCulture)}p"
                + (exponent == 0 ? -1022 : exponent - 1023).ToString("+0;-0", CultureInfo.InvariantCulture);
    }

    private static string[] Run(string ours, string theirs)
    {
        string arguments = $"\"{SourceTree.Find("interop/log_check.py")}\" \"{ours}\" \"{theirs}\"";
        var start = new ProcessStartInfo("/usr/bin/python3", arguments)
        {
            RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        };
        try
        {
            using Process process = Process.Start(start)!;
            var errors = new StringBuilder();
            process.ErrorDataReceived += (_, line) => errors.AppendLine(line.Data);
            process.BeginErrorReadLine();
            string output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            if (errors.ToString().Contains("No module named 'msgpack'"))
            {
                Missing();
            }

            Assert.That(process.ExitCode, Is.Zero, errors.ToString());
            return output.Split(['\n'], StringSplitOptions.RemoveEmptyEntries);
        }
        catch (Win32Exception)
        {
            Missing();
            return [];
        }
    }

    private static void Missing()
    {
        const string Needed = "python3-msgpack (Debian: apt-get install python3-msgpack)";
        Assert.That(Environment.GetEnvironmentVariable("CI"), Is.Not.EqualTo("true"), "CI needs " + Needed);
        Assert.Ignore("Needs " + Needed);
    }
}
