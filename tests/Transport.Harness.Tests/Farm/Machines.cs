using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using NUnit.Framework;

namespace BuildHarness.Tests.Farm;

/// <summary>Network namespaces that stand for machines: each is joined to a bridge of this test's by a pair of interfaces, and can be cut
/// off. They see the same files. Needs root and the program ip; without them the test is skipped.</summary>
internal sealed class Machines : IDisposable
{
    private static int s_last = Environment.ProcessId % 200;   // by Interlocked: each test of a run has a bridge of its own

    private readonly int _number = (Interlocked.Increment(ref s_last) % 200) + 20;
    private readonly List<string> _names = [];

    public Machines(int count)
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root" || !TryRun("link", "add", Bridge, "type", "bridge"))
        {
            Assert.Ignore("needs root, the program ip and the right to make network namespaces");
        }

        Run("addr", "add", Home + "/24", "dev", Bridge);
        Run("link", "set", Bridge, "up");
        for (int i = 1; i <= count; i++)
        {
            Add(i);
        }
    }

    /// <summary>Gets the address at which the machines reach this one.</summary>
    public string Home => Address(1);

    /// <summary>Gets the names of the namespaces.</summary>
    public IReadOnlyList<string> Names => _names;

    private string Bridge => string.Create(CultureInfo.InvariantCulture, $"trb{_number}");

    /// <summary>Cuts a machine off, or joins it again.</summary>
    public void Cut(int machine, bool isOff) => Run("link", "set", Outside(machine), isOff ? "down" : "up");

    public void Dispose()
    {
        foreach (string name in _names)
        {
            _ = TryRun("netns", "del", name);
        }

        _ = TryRun("link", "del", Bridge);
    }

    private void Add(int machine)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"trm{_number}-{machine}");
        Run("netns", "add", name);
        _names.Add(name);
        Run("link", "add", Outside(machine), "type", "veth", "peer", "name", "eth0", "netns", name);
        Run("link", "set", Outside(machine), "master", Bridge);
        Run("link", "set", Outside(machine), "up");
        Run("-n", name, "addr", "add", Address(machine + 1) + "/24", "dev", "eth0");
        Run("-n", name, "link", "set", "eth0", "up");
        Run("-n", name, "link", "set", "lo", "up");
    }

    private string Outside(int machine) => string.Create(CultureInfo.InvariantCulture, $"trv{_number}-{machine}");

    private string Address(int host) => string.Create(CultureInfo.InvariantCulture, $"10.213.{_number}.{host}");

    private static void Run(params string[] words) => Assert.That(TryRun(words), Is.True, () => "ip " + string.Join(' ', words));

    private static bool TryRun(params string[] words)
    {
        if (new[] { "/usr/sbin/ip", "/sbin/ip", "/bin/ip" }.FirstOrDefault(System.IO.File.Exists) is not { } ip)
        {
            return false;
        }

        using var process = Process.Start(new ProcessStartInfo(ip, words) { RedirectStandardError = true, UseShellExecute = false })!;
        _ = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0;
    }
}
