using System;
using System.IO;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Kit;

/// <summary>A control group of its own with little memory, below that of this process; the test is ignored if none can be made. Both
/// versions of control groups.</summary>
internal sealed class MemoryLimit : IDisposable
{
    private readonly string _folder;

    private MemoryLimit(string folder, bool isLegacy)
    {
        _folder = folder;
        IsLegacy = isLegacy;
    }

    public bool IsLegacy { get; }

    /// <summary>Gets the file into which a process writes its id to join.</summary>
    public string Door => Path.Combine(_folder, "cgroup.procs");

    public static MemoryLimit Create(long bytes)
    {
        string? file = new ControlGroup().Find(System.Diagnostics.Process.GetCurrentProcess().Id, out bool isLegacy);
        string folder = Path.Combine(
            Path.GetDirectoryName(file ?? "/nowhere/memory.events")!, "transport-test-" + Guid.NewGuid().ToString("N"));
        try
        {
            Directory.CreateDirectory(folder);
            try
            {
                File.WriteAllText(Path.Combine(folder, isLegacy ? "memory.limit_in_bytes" : "memory.max"), $"{bytes}");
                string swap = Path.Combine(folder, isLegacy ? "memory.memsw.limit_in_bytes" : "memory.swap.max");
                if (File.Exists(swap))
                {
                    File.WriteAllText(swap, isLegacy ? $"{bytes}" : "0");
                }
            }
            catch (Exception)
            {
                Directory.Delete(folder);
                throw;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Assert.Ignore($"needs a control group with a memory limit, and none can be made here (root, and on version 2 the memory "
                + $"controller in cgroup.subtree_control): {e.Message}");
        }

        return new MemoryLimit(folder, isLegacy);
    }

    /// <summary>The group's last process may still be leaving.</summary>
    public void Dispose()
    {
        var clock = System.Diagnostics.Stopwatch.StartNew();
        while (true)
        {
            try
            {
                Directory.Delete(_folder);
                return;
            }
            catch (IOException) when (clock.Elapsed < WithinExtensions.Bound)
            {
                System.Threading.Thread.Yield();
            }
        }
    }
}
