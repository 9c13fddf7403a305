using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests;

namespace Transport.Journal.Tests.Spill;

/// <summary>The directory of a sender's journals outlives a power cut once there is anything in it.</summary>
internal sealed class SpillDirectoryTests
{
    private static readonly string There = Path.Combine(Path.GetPathRoot(Path.GetTempPath())!, "there");
    private static readonly string Spill = Path.Combine(There, "a", "b", "spill");

    [Test]
    public void A_directory_is_durable_even_if_another_process_began_to_make_it()
    {
        for (int dies = 1; ; dies++)
        {
            var folders = new ForgetfulFolders(There) { DiesAt = dies };
            bool isOver = true;
            try
            {
                DurableFolder.Make(folders, Spill);
            }
            catch (InvalidOperationException)
            {
                isOver = false;
                folders.DiesAt = 0;
                DurableFolder.Make(folders, Spill);   // another process
            }

            folders.CutPower();
            Assert.That(folders.Exists(Spill), Is.True, $"the first one died at call {dies}");
            if (isOver)
            {
                Assert.That(dies, Is.GreaterThan(6));
                return;
            }
        }
    }

    [Test]
    public async Task A_sender_syncs_its_directorys_entry_before_a_journal_is_in_it()
    {
        using var folder = new TestFolder();
        string directory = Path.Combine(folder.Root, "a", "spill");
        var folders = new WatchedFolders(directory);
        var journal = new JournalOptions { SegmentBytes = 64 << 10 };
        SpillOptions options = new() { Folders = folders, Journal = journal };
        for (int i = 0; i < 2; i++)
        {
            await using var sender = SpillingSender.Open(directory, static (_, _) => Task.FromResult<SpillTarget?>(null), options);
            Assert.That(Directory.Exists(Path.Combine(directory, "normal")), Is.True);
        }

        Assert.That(folders.Synced, Is.EqualTo(new[] { folder.Root, Path.Combine(folder.Root, "a"), directory }), "once, the first time");
    }

    /// <summary>Directories whose entries a power cut forgets unless they were synced.</summary>
    private sealed class ForgetfulFolders(string there) : IFolders
    {
        private readonly HashSet<string> _durable = [];
        private readonly HashSet<string> _seen = [];
        private int _calls;

        public int DiesAt { get; set; }

        public bool Exists(string path) => there == path || there.StartsWith(path, StringComparison.Ordinal) || _seen.Contains(path);

        public void Make(string path)
        {
            Step();
            Assert.That(Exists(Path.GetDirectoryName(path)!), Is.True);
            _seen.Add(path);
        }

        public void SyncParent(string path)
        {
            Step();
            _durable.Add(path);
        }

        /// <summary>What has no durable entry is gone, with all that is in it.</summary>
        public void CutPower()
        {
            foreach (string path in _seen.OrderBy(static p => p.Length).ToArray())
            {
                if (!_durable.Contains(path) || !Exists(Path.GetDirectoryName(path)!))
                {
                    _seen.Remove(path);
                }
            }
        }

        private void Step()
        {
            if (++_calls == DiesAt)
            {
                throw new InvalidOperationException("the process dies");
            }
        }
    }

    private sealed class WatchedFolders(string directory) : IFolders
    {
        private readonly SystemFolders _system = new();

        public List<string> Synced { get; } = [];

        public bool Exists(string path) => _system.Exists(path);

        public void Make(string path) => _system.Make(path);

        public void SyncParent(string path)
        {
            _system.SyncParent(path);
            Assert.That(Directory.Exists(Path.Combine(directory, "normal")), Is.False);
            Synced.Add(path);
        }
    }
}
