using System;
using System.IO;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Exits;

/// <summary>What control groups say, as files of our own: both versions, moves, and what cannot be known.</summary>
public sealed class OomWatchTests
{
    private const int Pid = 77;

    [Test]
    public void Version_2_says_yes_and_no()
    {
        using var system = new FakeSystem("0::/build", "cgroup2");
        system.Kills("/build", 4);
        Assert.That(system.Verdict(whileItRan: () => system.Kills("/build", 5)), Is.True);
        Assert.That(system.Verdict(whileItRan: () => { }), Is.False);
    }

    [Test]
    public void Version_1_says_yes_but_never_no()
    {
        using var system = new FakeSystem("4:cpu,memory:/build", "cgroup");
        system.Kills("/build", 4);
        void End() => system.Shown("4:cpu,memory:/");
        Assert.That(system.Verdict(() => system.Kills("/build", 5), End), Is.True);
        system.Shown("4:cpu,memory:/build");
        Assert.That(system.Verdict(() => { }, End), Is.Null);
    }

    [Test]
    public void One_kill_explains_one_exit()
    {
        using var system = new FakeSystem("0::/build", "cgroup2");
        system.Kills("/build", 0);
        OomWatch first = system.Watch(), second = system.Watch(), third = system.Watch();
        system.Kills("/build", 2);
        Assert.That((End(first), End(second), End(third)), Is.EqualTo(((bool?)true, (bool?)true, (bool?)false)));
        OomWatch later = system.Watch();
        Assert.That(End(later), Is.False, "older kills are not its own");
    }

    [Test]
    public void A_kill_long_before_the_end_is_somebody_elses_and_one_at_the_last_look_is_its_own()
    {
        using var system = new FakeSystem("0::/build", "cgroup2");
        system.Kills("/build", 0);
        OomWatch old = system.Watch();
        system.Kills("/build", 1); // a compiler, say
        system.Seconds = 100;
        old.LookAgain();
        system.Seconds = 110;
        Assert.That(End(old), Is.False);

        OomWatch fresh = system.Watch();
        system.Seconds = 120;
        system.Kills("/build", 2); // itself: the kernel has counted, and the process is about to die
        fresh.LookAgain();
        system.Seconds = 121;
        Assert.That(End(fresh), Is.True);
    }

    [Test]
    public void A_process_that_moved_is_followed_where_it_was_seen_and_else_nothing_is_said()
    {
        using var system = new FakeSystem("0::/build", "cgroup2");
        system.Kills("/build", 0);
        system.Kills("/other", 7);
        system.Kills("/build/inner", 3);
        Assert.That(system.Verdict(() => system.Shown("0::/other")), Is.Null, "never seen there");

        system.Shown("0::/build");
        OomWatch seen = system.Watch();
        system.Shown("0::/other");
        seen.LookAgain(moved: true);
        system.Kills("/other", 8);
        Assert.That(End(seen), Is.True);

        system.Shown("0::/build");
        OomWatch below = system.Watch();
        system.Shown("0::/build/inner");
        system.Kills("/build/inner", 4);
        system.Kills("/build", 1);
        Assert.That(End(below), Is.True, "a group counts those below it");
    }

    [TestCase("0::/build (deleted)", "cgroup2", "/")]
    [TestCase("0::/gone", "cgroup2", "/")]
    [TestCase("0::/build", "cgroup2", "/../..")]
    [TestCase("0::/build", "tmpfs", "/")]
    [TestCase("nonsense", "cgroup2", "/")]
    [TestCase("", "cgroup2", "/")]
    public void Nothing_is_said_where_nothing_is_shown(string shown, string kind, string root)
    {
        using var system = new FakeSystem(shown, kind, root);
        system.Kills("/build", 0);
        Assert.That(system.Verdict(() => system.Kills("/build", 1)), Is.Null);
        using var without = new FakeSystem(shown, kind, root);
        Assert.That(without.Verdict(() => { }), Is.Null);
    }

    [Test]
    public void A_container_that_sees_the_hosts_path_is_understood()
    {
        using var system = new FakeSystem("0::/docker/abc", "cgroup2", root: "/docker/abc");
        system.Kills(string.Empty, 0);
        Assert.That(system.Verdict(() => system.Kills(string.Empty, 1)), Is.True);
    }

    [Test]
    public void A_path_with_a_space_a_tab_and_a_backslash_is_read_as_it_is()
    {
        using var system = new FakeSystem("0::/a b/c\\d\te", "cgroup2", root: "/a\\040b", groups: "my groups");
        system.Kills("/c\\d\te", 0);
        Assert.That(system.Verdict(() => system.Kills("/c\\d\te", 1)), Is.True);
    }

    private static bool? End(OomWatch watch)
    {
        watch.LookAtEnd();
        return watch.Verdict();
    }

    /// <summary>A folder that looks like /proc and the control groups' file system.</summary>
    private sealed class FakeSystem : IDisposable
    {
        private readonly TestFolder _folder = new();
        private readonly OomLedger _ledger = new();
        private readonly string _file;

        public FakeSystem(string shown, string kind, string root = "/", string groups = "groups")
        {
            Groups = Path.Combine(_folder.Path, groups);
            _file = kind == "cgroup" ? "memory.oom_control" : "memory.events";
            Directory.CreateDirectory(Path.Combine(Processes, "self"));
            Directory.CreateDirectory(Path.Combine(Processes, $"{Pid}"));
            File.WriteAllText(
                Path.Combine(Processes, "self", "mountinfo"),
                $"21 20 0:5 / /proc rw - proc proc rw\n35 31 0:32 {root} {Groups.Replace(" ", "\\040")} rw,relatime shared:9 - {kind} "
                    + $"{kind} rw,cpu,memory\nshort line\n");
            Shown(shown);
        }

        public double Seconds { get; set; } = 10;

        private string Processes => Path.Combine(_folder.Path, "proc");

        private string Groups { get; }

        public void Shown(string line) => File.WriteAllText(Path.Combine(Processes, $"{Pid}", "cgroup"), "9:pids:/x\n" + line + "\n");

        public void Kills(string group, int count)
        {
            Directory.CreateDirectory(Groups + group);
            File.WriteAllText($"{Groups}{group}/{_file}", $"low 0\noom 9\noom_kill {count}\noom_group_kill 0\n");
        }

        public OomWatch Watch() =>
            new(Pid, _ledger, new ControlGroup(Processes), () => (long)(Seconds * System.Diagnostics.Stopwatch.Frequency));

        public bool? Verdict(Action whileItRan, Action? end = null)
        {
            OomWatch watch = Watch();
            Seconds += 10;
            whileItRan();
            end?.Invoke();
            return End(watch);
        }

        public void Dispose() => _folder.Dispose();
    }
}
