using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The work of <c>journal verify|dump|stat|compact</c> and <c>follow</c>. One thread.</summary>
/// <param name="program">The program's name, which begins what it says on stderr.</param>
/// <param name="packets">The packet types that are shown by name and decoded.</param>
/// <param name="warn">Writes a line to stderr.</param>
internal sealed class JournalTool(string program, PacketCatalog packets, Action<string> warn)
{
    private const int BatchBytes = 64 << 10;

    /// <returns>The exit code.</returns>
    /// <exception cref="JournalException">It is no journal, or cannot be read.</exception>
    /// <exception cref="ToolException">Stdout cannot be written.</exception>
    public int Verify(string directory)
    {
        JournalReport report = PacketJournal.Verify(directory);
        WriteLines([JournalText.Verdict(report)]);
        return Judge(directory, JournalText.Fault(report));
    }

    /// <inheritdoc cref="Verify"/>
    public int Stat(string directory)
    {
        JournalSurvey survey = PacketJournal.Survey(directory);
        WriteLines(JournalText.Survey(survey, packets));
        return Judge(directory, JournalText.Fault(survey.Report));
    }

    /// <inheritdoc cref="Verify"/>
    public static int Compact(string directory, JournalRetention retention)
    {
        JournalCompaction done = PacketJournal.Compact(directory, retention, TimeProvider.System);
        string hint = retention is { MaxBytes: null, MaxAge: null, Watermark: null }
            ? " (nothing says what may go: --max-bytes, --max-age or --below)" : string.Empty;
        WriteLines([string.Create(CultureInfo.InvariantCulture, $"dropped {Counted.Of(done.DroppedSegments, "segment")}, "
            + $"{JournalText.Bytes(done.DroppedBytes)}; the oldest position is {done.OldestPosition}{hint}")]);
        return ToolExitCodes.Success;
    }

    /// <inheritdoc cref="Verify"/>
    public int Dump(ReadingOptions options)
    {
        JournalReaderOptions reading = options.Reading(follow: false);
        reading.PastDamage = true;
        using JournalReader reader = JournalReader.Open(options.Directory, reading);
        using Stream stdout = Console.OpenStandardOutput();
        var lines = new ArrayBufferWriter<byte>(BatchBytes * 2);
        using var json = new Utf8JsonWriter(lines, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        foreach (JournalRecord record in reader)
        {
            Write(json, record);
            json.Flush();
            json.Reset();
            lines.GetSpan(1)[0] = (byte)'\n';
            lines.Advance(1);
            if (lines.WrittenCount >= BatchBytes)
            {
                TerminalJson.Flush(stdout, lines);
            }
        }

        TerminalJson.Flush(stdout, lines);

        // The reader knows of what it came by; only the verifier looks at all there is, and whether somebody writes.
        JournalReport report = PacketJournal.Verify(options.Directory);
        if (reader.Condition is JournalCondition.NotClosed or JournalCondition.Torn
            && (report.IsBeingWritten || report.Condition == JournalCondition.Closed))
        {
            warn(string.Create(CultureInfo.InvariantCulture,
                $"{program}: {options.Directory}: it is being written; this is what was there, up to position {reader.Position}"));
            return Judge(options.Directory, JournalText.Fault(report));
        }

        return Judge(options.Directory, reader.Ending ?? JournalText.Fault(report));
    }

    /// <summary>Shows packets as lines, also while another process writes them, until the journal's end or an interrupt.</summary>
    /// <inheritdoc cref="Verify"/>
    public async Task<int> FollowAsync(ReadingOptions options, BuildVerbosity verbosity, Interrupt interrupt)
    {
        using JournalReader reader = JournalReader.Open(options.Directory, options.Reading(follow: true));
        using var stdout = new StdoutQueue(Console.OpenStandardOutput(), interrupt.Token, TimeProvider.System);
        await ShowAsync(reader, stdout, verbosity, interrupt).ConfigureAwait(false);
        stdout.Drain();
        if (stdout.Fault is { } unseen)
        {
            throw new ToolException(unseen, ToolExitCodes.Fault);
        }

        return interrupt.ExitCode ?? (reader.Condition == JournalCondition.Closed ? ToolExitCodes.Success
            : Judge(options.Directory, reader.Ending ?? "its writer has ended without closing it"));
    }

    private async Task ShowAsync(JournalReader reader, Stream stdout, BuildVerbosity verbosity, Interrupt interrupt)
    {
        using var lines = new PacketLines(stdout, verbosity, packets);
        try
        {
            do
            {
                while (!interrupt.Token.IsCancellationRequested && reader.TryRead(out JournalRecord record))
                {
                    lines.Show(record);
                }

                lines.Flush();
            }
            while (await reader.WaitAsync(interrupt.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (interrupt.Token.IsCancellationRequested)
        {
            // Ctrl+C is how one stops watching.
        }
    }

    /// <summary>Says on stderr if a journal is not valid.</summary>
    /// <returns>The exit code.</returns>
    private int Judge(string directory, string? fault)
    {
        if (fault is null)
        {
            return ToolExitCodes.Success;
        }

        warn($"{program}: {directory}: {fault}");
        return ToolExitCodes.Invalid;
    }

    private void Write(Utf8JsonWriter json, in JournalRecord record)
    {
        json.WriteStartObject();
        json.WriteNumber("position", record.Position);
        json.WriteString("time", PacketCatalog.Time(record.Time));
        json.WriteString("node", record.Node);
        json.WriteNumber("type", record.Type);
        json.WritePropertyName("body");
        packets.WriteBody(json, record.Type, record.ToArray());
        json.WriteEndObject();
    }

    private static void WriteLines(IEnumerable<string> lines)
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
            throw new ToolException($"stdout cannot be written: {e.Message}", ToolExitCodes.Fault);
        }
    }
}
