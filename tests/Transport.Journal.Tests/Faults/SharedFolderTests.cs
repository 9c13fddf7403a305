using System;
using System.Diagnostics;
using System.IO;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Faults;

/// <summary>A build's events went into a folder that another user had made and opened to all.</summary>
[Platform("Linux")]
internal sealed class SharedFolderTests
{
    private const string Somebody = "12345";

    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [TestCase("777", "others may write to it")]
    [TestCase("1777", "others may write to it")]
    [TestCase("755", null)]
    [TestCase("700", null)]
    public void A_folder_that_all_may_write_to_is_refused(string mode, string? fault)
    {
        Run("mkdir", "-m", mode, _folder.Journal);
        Expect(fault);
    }

    [TestCase("775", Somebody, "others may write to it")]
    [TestCase("755", Somebody, null)]
    [TestCase("775", null, null)]
    public void One_that_another_group_than_the_users_own_may_write_to_is_refused(string mode, string? group, string? fault)
    {
        Run("mkdir", "-m", mode, _folder.Journal);
        if (group is not null)
        {
            Own(":" + group, _folder.Journal);
        }

        Expect(fault);
    }

    [Test]
    public void Another_users_folder_is_refused_and_opened_if_the_options_say_so()
    {
        Run("mkdir", "-m", "777", _folder.Journal);
        Own(Somebody, _folder.Journal);
        Expect($"the directory belongs to user id {Somebody}, and this process runs as");
        using var journal = PacketJournal.Open(_folder.Journal, new JournalOptions { AllowSharedFolder = true });
        Assert.That(journal.Append(1), Is.GreaterThan(0));
    }

    [Test]
    public void Another_users_file_in_the_users_own_folder_is_refused()
    {
        using (var journal = PacketJournal.Open(_folder.Journal))
        {
            _ = journal.Append(1);
        }

        Own(Somebody, _folder.Segment(1));
        Expect("its file 0000000001.segment belongs to user id " + Somebody);
    }

    [Test]
    public void A_file_that_all_may_write_to_is_refused()
    {
        using (var journal = PacketJournal.Open(_folder.Journal))
        {
            _ = journal.Append(1);
        }

        Run("chmod", "666", _folder.Segment(1));
        Expect("the mode of its file 0000000001.segment is 0666");
    }

    /// <summary>The check does not mistake what the journal itself makes, whatever the umask.</summary>
    [Test]
    public void What_the_journal_made_is_opened_again()
    {
        using (var journal = PacketJournal.Open(_folder.Journal))
        {
            _ = journal.Append(1);
        }

        Expect(null);
    }

    private void Expect(string? fault)
    {
        string[] before = Directory.Exists(_folder.Journal) ? Directory.GetFiles(_folder.Journal) : [];
        if (fault is null)
        {
            using var journal = PacketJournal.Open(_folder.Journal);
            Assert.That(journal.Append(2), Is.GreaterThan(0));
            return;
        }

        JournalException refused = Assert.Throws<JournalException>(() => PacketJournal.Open(_folder.Journal).Dispose())!;
        Assert.That((refused.Fault, refused.Message), Is.EqualTo((JournalFault.NotPrivate, refused.Message)));
        Assert.That(refused.Message, Does.Contain(fault).And.Contain("chmod go-w"));
        Assert.That(Directory.GetFiles(_folder.Journal), Is.EqualTo(before), "nothing was left there");
    }

    private static void Own(string owner, string path)
    {
        if (Libc.geteuid() != 0)
        {
            Assert.Ignore("needs root, to give a file away");
        }

        Run("chown", owner, path);
    }

    private static void Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, string.Join(" ", arguments)) { UseShellExecute = false })!;
        Assert.That(process.WaitForExit((int)WithinExtensions.Bound.TotalMilliseconds) && process.ExitCode == 0, Is.True, program);
    }
}
