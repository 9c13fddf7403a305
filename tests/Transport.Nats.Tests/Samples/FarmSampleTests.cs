using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.Nats.Tests.Kit;
using Transport.Testing;

namespace Transport.Nats.Tests.Samples;

/// <summary>samples/Farm: the commands of its compose file, without containers.</summary>
[NonParallelizable]
public sealed class FarmSampleTests : ServerTests
{
    private const int Interrupt = 2;

    [Test]
    public async Task The_services_of_the_compose_file_answer_and_their_journals_are_received()
    {
        using var folder = new TemporaryFolder();
        List<ProgramProcess> running = [];
        try
        {
            foreach (ComposeService service in ComposeService.ReadAll().Where(one => one.Name != "nats"))
            {
                var process = ProgramOf(service, folder.Path);
                running.Add(process);
                process.Start();
            }

            ProgramProcess ask = running[^1];
            await Records.UntilAsync(() => ask.HasEnded, () => string.Join('\n', running.Select(one => one.Lines)));
            Assert.That(ask.ExitCode, Is.Zero, ask.Lines);
            string[] words = ["apple", "pear", "plum", "fig", "quince"];
            await Records.UntilAsync(() => Answers(ask).Length >= words.Length, () => ask.Lines);
            Assert.That(
                Answers(ask).Select(line => string.Join(' ', line.Split(' ')[..2])),
                Is.EqualTo(words.Select(word => $"{word} {Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(word)))}")));

            foreach (ProgramProcess agent in running.Skip(1).Take(2))
            {
                Assert.That(agent.Signal(Interrupt), Is.Zero);
                await Records.UntilAsync(() => agent.HasEnded, () => agent.Lines);
                Assert.That(agent.ExitCode, Is.Zero, agent.Lines);
            }

            // What the workers have logged is in the journals of the receiver.
            string journals = Path.Combine(folder.Path, "journals");
            await Records.UntilAsync(() => words.All(word => LogsOf(journals).Any(log => log.Contains(word, StringComparison.Ordinal))),
                () => string.Join('\n', LogsOf(journals)) + running[0].Lines);
        }
        finally
        {
            running.ForEach(one => one.Dispose());
        }
    }

    private static IReadOnlyList<string> LogsOf(string folder)
    {
        List<string> all = [];
        foreach (string journal in Directory.Exists(folder) ? Directory.GetDirectories(folder) : [])
        {
            try
            {
                using JournalReader reader = JournalReader.Open(journal);
                while (reader.TryRead(out JournalRecord record))
                {
                    all.Add(Encoding.UTF8.GetString(record.Body));
                }
            }
            catch (JournalException)
            {
                // It is being made.
            }
        }

        return all;
    }

    /// <summary>The lines that a program wrote, without what the client of NATS may warn of when it closes: a line with the logger's name, and
    /// indented ones.</summary>
    private static string[] Answers(ProgramProcess program)
    {
        var answers = new List<string>();
        bool isWarning = false;
        foreach (string line in program.Lines.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            isWarning = line.StartsWith("warn: NATS.Client.", StringComparison.Ordinal)
                || (isWarning && line.StartsWith("      ", StringComparison.Ordinal));
            if (!isWarning)
            {
                answers.Add(line);
            }
            else
            {
                TestContext.Out.WriteLine(line);
            }
        }

        return [.. answers];
    }

    private ProgramProcess ProgramOf(ComposeService service, string folder)
    {
        string[] words = [.. service.Command.Select(word => word.StartsWith('/') ? Path.Combine(folder, word[1..]) : HereOf(word))];
        var process = words[0] == "dotnet" ? new ProgramProcess(words[1], words[2..]) : ProgramProcess.Tool(words[1..]);
        foreach ((string key, string value) in service.Environment)
        {
            process.Environment[key] = HereOf(value);
        }

        return process;
    }

    private string HereOf(string word) => word == "nats://nats:4222" ? Server.Url : word;
}
