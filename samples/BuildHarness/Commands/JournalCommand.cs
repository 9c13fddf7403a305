using System;
using System.Buffers;
using System.Globalization;
using System.IO;
using System.Text.Encodings.Web;
using System.Text.Json;
using BuildHarness.Display;
using BuildHarness.Journaling;
using BuildHarness.Worker;
using Transport;
using Transport.Journal;

namespace BuildHarness.Commands;

/// <summary><c>journal verify|dump|stat|compact</c>.</summary>
internal static class JournalCommand
{
    private const int BatchBytes = 64 << 10;

    /// <returns>The exit code.</returns>
    /// <exception cref="HarnessException">It is no journal, or cannot be read or changed.</exception>
    public static int Run(JournalToolOptions options, TimeProvider clock)
    {
        try
        {
            return options switch
            {
                VerifyOptions => Verify(options.Directory),
                StatOptions => Stat(options.Directory),
                DumpOptions dump => Dump(dump),
                CompactOptions compact => Compact(compact, clock),
                _ => throw new InvalidOperationException($"{options.GetType().Name} has no command."),
            };
        }
        catch (JournalException e)
        {
            throw FaultOf(options.Directory, e);
        }
        catch (ArgumentException e)
        {
            throw new HarnessException(e.Message, ExitCodes.BadUsage);
        }
    }

    /// <summary>What a fault of a journal means to the commands that look at one.</summary>
    public static HarnessException FaultOf(string directory, JournalException e)
    {
        int exitCode = e.Fault switch
        {
            JournalFault.NotAJournal or JournalFault.Compacted => ExitCodes.BadUsage,
            JournalFault.Damaged => ExitCodes.BuildFailed,
            _ => ExitCodes.HarnessFault,
        };
        return new HarnessException(
            e.Message.Contains(directory, StringComparison.Ordinal) ? e.Message : $"{directory}: {e.Message}", exitCode);
    }

    /// <summary>Says on stderr if a journal is not sound.</summary>
    /// <returns>The exit code.</returns>
    public static int Judge(string directory, string? fault)
    {
        if (fault is null)
        {
            return ExitCodes.Success;
        }

        Stderr.Tell(OneLine.Escape($"buildharness: {directory}: {fault}"));
        return ExitCodes.BuildFailed;
    }

    private static int Verify(string directory)
    {
        JournalReport report = JournalVerifier.Verify(directory);
        Write([StatText.Verdict(report)]);
        return Judge(directory, StatText.Fault(report));
    }

    private static int Stat(string directory)
    {
        JournalSurvey survey = JournalVerifier.Survey(directory);
        Write(StatText.Survey(survey));
        return Judge(directory, StatText.Fault(survey.Report));
    }

    private static int Compact(CompactOptions options, TimeProvider clock)
    {
        JournalCompaction done = JournalCompactor.Compact(options.Directory, options.Retention, clock);
        string hint = options.Retention is { MaxBytes: null, MaxAge: null, Watermark: null }
            ? " (nothing says what may go: --max-bytes, --max-age or --below)" : string.Empty;
        Write([string.Create(CultureInfo.InvariantCulture, $"dropped {Counted.Of(done.DroppedSegments, "segment")}, "
            + $"{StatText.Bytes(done.DroppedBytes)}; the oldest position is {done.OldestPosition}{hint}")]);
        return ExitCodes.Success;
    }

    private static int Dump(DumpOptions options)
    {
        JournalReaderOptions reading = options.Reading(follow: false);
        reading.PastDamage = true;
        using JournalReader reader = JournalReader.Open(options.Directory, reading);
        SdkMSBuild.Find();   // build events name its types
        using Stream stdout = Console.OpenStandardOutput();
        var lines = new ArrayBufferWriter<byte>(BatchBytes * 2);
        using var json = new Utf8JsonWriter(lines, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        while (reader.TryRead(out JournalRecord record))
        {
            PacketJson.Write(json, record);
            json.Flush();
            json.Reset();
            lines.GetSpan(1)[0] = (byte)'\n';
            lines.Advance(1);
            if (lines.WrittenCount >= BatchBytes)
            {
                Write(stdout, lines);
            }
        }

        Write(stdout, lines);

        // The reader knows of what it came by; only the verifier looks at all there is, and whether somebody writes.
        JournalReport report = JournalVerifier.Verify(options.Directory);
        if (reader.Condition is JournalCondition.NotClosed or JournalCondition.Torn
            && (report.IsBeingWritten || report.Condition == JournalCondition.Closed))
        {
            Stderr.Tell(OneLine.Escape(string.Create(CultureInfo.InvariantCulture,
                $"buildharness: {options.Directory}: it is being written; this is what was there, up to position {reader.Position}")));
            return Judge(options.Directory, StatText.Fault(report));
        }

        return Judge(options.Directory, reader.Ending ?? StatText.Fault(report));
    }

    private static void Write(Stream stdout, ArrayBufferWriter<byte> lines)
    {
        try
        {
            TerminalJson.Write(stdout, lines.WrittenSpan);
            lines.ResetWrittenCount();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException($"stdout cannot be written: {e.Message}");
        }
    }

    private static void Write(System.Collections.Generic.IEnumerable<string> lines)
    {
        try
        {
            foreach (string line in lines)
            {
                Console.Out.WriteLine(TerminalText.Line(line));
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException($"stdout cannot be written: {e.Message}");
        }
    }
}
