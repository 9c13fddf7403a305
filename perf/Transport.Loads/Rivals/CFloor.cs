using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using Transport.Loads.Measuring;
using Transport.Loads.Scratch;

namespace Transport.Loads.Rivals;

/// <summary>The floor in C: compiled by gcc on first use, into a folder that goes with this object.</summary>
internal sealed class CFloor : IDisposable
{
    private readonly ScratchFolder _folder = new("floor");

    /// <summary>Initializes a new instance of the <see cref="CFloor"/> class; if gcc is not there or fails, <see cref="Missing"/> says
    /// so.</summary>
    public CFloor()
    {
        Missing = Compile("bytes.c", Program);
    }

    /// <summary>Gets why there is no such column, or null.</summary>
    public string? Missing { get; }

    private string Program => Path.Combine(_folder.Location, "bytes");

    /// <summary>Compiles a floor for this very processor, as the JIT compiles the C# columns: a floor must not be held up by its compiler's
    /// options.</summary>
    /// <param name="source">The source's name in perf/floor.</param>
    /// <param name="program">The program to make.</param>
    /// <returns>Why there is none, or null.</returns>
    public static string? Compile(string source, string program)
    {
        try
        {
            Run("gcc", "-O3", "-march=native", "-pthread", "-o", program, Path.Combine(AppContext.BaseDirectory, "floor", source));
            return null;
        }
        catch (Exception e) when (e is Win32Exception or LoadException)
        {
            return e is Win32Exception ? "no gcc here" : e.Message.Split('\n')[0];
        }
    }

    /// <summary>Writes packets to a file as the floor reads them.</summary>
    /// <returns>The file.</returns>
    public string Save(string name, IEnumerable<byte[]> packets)
    {
        string path = Path.Combine(_folder.Location, name);
        using var output = new BinaryWriter(File.Create(path));
        foreach (byte[] packet in packets)
        {
            output.Write(packet.Length);
            output.Write(packet);
        }

        return path;
    }

    /// <summary>Sends the file's packets round and round.</summary>
    public Sample Send(string file, int count)
    {
        string[] parts = Run(Program, file, count.ToString(CultureInfo.InvariantCulture)).Split(' ');
        double Number(int i) => double.Parse(parts[i], CultureInfo.InvariantCulture);
        return new Sample(count, Number(0) / 1e9, Number(1), Number(2), 0, 0);
    }

    public void Dispose() => _folder.Dispose();

    /// <summary>Runs a floor to its end.</summary>
    /// <returns>What it printed.</returns>
    /// <exception cref="LoadException">It failed.</exception>
    public static string Run(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        string output = process.StandardOutput.ReadToEnd();
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? output.Trim()
            : throw new LoadException($"{Path.GetFileName(program)} ended with {process.ExitCode}: {error.Trim()}");
    }
}
