using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>What of a wire the system shows: no descriptor that a child would inherit, none left behind.</summary>
[TestFixture]
[Platform("Linux")]
[NonParallelizable] // descriptors are the process's
public sealed class DescriptorTests
{
    private const int CloseOnExec = 0x80000; // O_CLOEXEC, octal 02000000, as /proc/PID/fdinfo shows it.

    [Test]
    public async Task No_socket_is_inherited_by_a_child([ValueSource(typeof(WireKinds), nameof(WireKinds.BetweenProcesses))] string kind)
    {
        using WireRig rig = WireKinds.Open(kind);
        HashSet<string> before = Sockets();
        using WireRig second = WireKinds.Open(kind);
        (IWire server, IWire client) = await second.PairAsync();
        using (server)
        using (client)
        {
            // By what they are: a number may be that of a socket which an earlier test has let go meanwhile.
            string[] ours = Sockets().Except(before).ToArray();
            Assert.That(ours, Has.Length.GreaterThanOrEqualTo(3), "listener, accepted, connected");
            foreach (string descriptor in ours.Select(static o => o.Substring(0, o.IndexOf(' '))))
            {
                string flags = File.ReadLines("/proc/self/fdinfo/" + descriptor)
                    .Single(static l => l.StartsWith("flags:", StringComparison.Ordinal));
                Assert.That(Convert.ToInt32(flags.Substring(6).Trim(), 8) & CloseOnExec, Is.EqualTo(CloseOnExec),
                    $"descriptor {descriptor}");
            }
        }
    }

    [Test]
    public async Task Nothing_is_left_open([ValueSource(typeof(WireKinds), nameof(WireKinds.BetweenProcesses))] string kind)
    {
        using (WireRig warm = WireKinds.Open(kind))
        {
            (IWire server, IWire client) = await warm.PairAsync();
            server.Dispose();
            client.Dispose();
        }

        int before = Sockets().Count;
        for (int i = 0; i < 50; i++)
        {
            using WireRig rig = WireKinds.Open(kind);
            (IWire server, IWire client) = await rig.PairAsync();
            Task<int> reading = server.ReadAsync(new byte[1], 0, 1);
            server.Dispose();
            client.Dispose();
            await Assert.ThrowsAsync<IOException>(() => reading.Within("the read"));
        }

        Assert.That(System.Threading.SpinWait.SpinUntil(() => Sockets().Count <= before + 2, WithinExtensions.Bound),
            "sockets go with their wires");
    }

    private static HashSet<string> Sockets()
    {
        var found = new HashSet<string>();
        foreach (string descriptor in Directory.GetFileSystemEntries("/proc/self/fd").Select(static p => Path.GetFileName(p)))
        {
            if (LinkOf(descriptor) is var target && target.StartsWith("socket:", StringComparison.Ordinal))
            {
                found.Add($"{descriptor} {target}");
            }
        }

        return found;
    }

    private static string LinkOf(string descriptor)
    {
        byte[] target = new byte[100];
        int length = (int)ReadLink("/proc/self/fd/" + descriptor, target, (IntPtr)target.Length);
        return Encoding.UTF8.GetString(target, 0, Math.Max(length, 0));
    }

    [DllImport("libc", EntryPoint = "readlink", CharSet = CharSet.Ansi, BestFitMapping = false)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr ReadLink(string path, byte[] target, IntPtr size);
}
