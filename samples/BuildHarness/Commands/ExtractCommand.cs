using System;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading.Tasks;
using BuildHarness.Display;
using BuildHarness.Extract;
using Transport;
using Transport.Files;
using Transport.Terminal;
using Unpack;

namespace BuildHarness.Commands;

/// <summary><c>extract</c>: an archive becomes a folder, whole or not at all.</summary>
internal sealed class ExtractCommand(ExtractOptions options, Interrupt interrupt, TimeProvider clock)
{
    /// <summary>What may wait for a writer. The archive's reader is always faster, so more gives no speed; 8 MiB cost two writers a seventh
    /// more time, because what was read is out of the cache when it is written.</summary>
    private const long Waiting = 2 << 20;
    private readonly long _start = clock.GetTimestamp();

    /// <returns>The exit code.</returns>
    /// <exception cref="HarnessException">The archive is refused, or could not be read or written out; nothing is published.</exception>
    public async Task<int> RunAsync()
    {
        using var stdout = new StdoutQueue(Console.OpenStandardOutput(), interrupt.Token, clock);
        using ArchiveReader archive = Open();
        using TraceFile? trace = options.Trace is null ? null : TraceFile.Create(options.Trace);
        string line;
        int exitCode = ExitCodes.Success;
        try
        {
            line = Said(await ExtractAsync(archive, trace, stdout).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (interrupt.ExitCode is not null)
        {
            exitCode = interrupt.ExitCode.Value;
            line = string.Create(
                CultureInfo.InvariantCulture, $"interrupted: nothing is at {TerminalText.Escape(options.Directory)}, {Seconds:0.0} s\n");
        }

        stdout.Write(Encoding.UTF8.GetBytes(line));
        stdout.Drain();
        string? fault = stdout.Fault ?? trace?.Fault;
        return fault is null ? exitCode : throw new HarnessException(fault);
    }

    private double Seconds => clock.GetElapsedTime(_start).TotalSeconds;

    private ArchiveReader Open()
    {
        try
        {
            return ArchiveReader.Open(options.File, options.Limits, foldsNames: OperatingSystem.IsWindows() || OperatingSystem.IsMacOS());
        }
        catch (ArchiveException e)
        {
            throw Refused(e.Message);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException(
                $"{TerminalText.Escape(options.File)} cannot be read: {TerminalText.Escape(e.Message)}", ExitCodes.BadUsage);
        }
    }

    private async Task<FileReceipt> ExtractAsync(ArchiveReader archive, TraceFile? trace, StdoutQueue stdout)
    {
        try
        {
            var output = FileOutput.Publish(options.Directory, new FileOutputOptions
            {
                Writers = options.Writers,
                MemoryBudget = Waiting,
                Io = options.Io,
                Sync = options.Sync,
                SetTimes = options.Times,
                Existing = ExistingTarget.RefuseUnlessEmpty,
                OnSpan = trace is null ? null : new ExtractTrace(trace).Add,
            });
            await using (output.ConfigureAwait(false))
            {
                using LiveLine? live = Displays.IsTerminal() ? new LiveLine(stdout, WidthOfTerminal, output, clock) : null;
                return await Task.Run(() => new Extractor(archive, output).RunAsync(interrupt.Token)).ConfigureAwait(false);
            }
        }
        catch (ArchiveException e)
        {
            throw Refused(e.Message);
        }
        catch (ArgumentException e)
        {
            throw new HarnessException(e.Message, ExitCodes.BadUsage);
        }
        catch (TransportException e)
        {
            int exitCode = e.Fault == TransportFault.BadConfiguration ? ExitCodes.BadUsage : ExitCodes.BuildFailed;
            throw new HarnessException(e.Message, exitCode);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw Refused($"it cannot be read: {e.Message}");
        }
    }

    private HarnessException Refused(string why) =>
        new($"{TerminalText.Escape(options.File)}: {TerminalText.Escape(why)}", ExitCodes.BuildFailed);

    private string Said(FileReceipt receipt)
    {
        var said = new StringBuilder();
        if (receipt.StagingsRemoved > 0)
        {
            said.Append(CultureInfo.InvariantCulture, $"removed what {Counted.Of(receipt.StagingsRemoved, "killed run")} had left\n");
        }

        if (receipt.LeftBehind is { } left)
        {
            said.Append(CultureInfo.InvariantCulture, $"left behind, {left}\n");
        }

        string links = receipt.Links == 0 ? string.Empty : $", {Counted.Of(receipt.Links, "link")}";
        string retries = receipt.Retries == 0 ? string.Empty
            : string.Create(CultureInfo.InvariantCulture, $", {receipt.Retries} tried again ({receipt.RetryTime.TotalSeconds:0.0} s)");
        return said.Append(CultureInfo.InvariantCulture,
            $"succeeded: {Counted.Of(receipt.Files, "file")}{links}, {Counted.Of(receipt.Bytes, "byte")}{retries}, {Seconds:0.0} s\n")
            .ToString();
    }

    private static int WidthOfTerminal()
    {
        try
        {
            return Console.WindowWidth is > 0 and int width ? width : 80;
        }
        catch (IOException)
        {
            return 80;
        }
    }
}
