using System;
using System.Collections.Generic;
using System.IO;
using Transport.Loads.Report;

namespace Transport.Loads.Commands;

/// <summary>What a run writes beside its table: tried before minutes are spent on measuring, and each by itself, so that none takes another
/// with it.</summary>
/// <param name="line">Where to.</param>
internal sealed class Outputs(CommandLine line)
{
    /// <summary>Gets the file of committed values that takes those of this run; null: none does.</summary>
    private string? Kept => line.KeepsGate ? line.Gate : null;

    /// <summary>Makes the folders that are missing, and sees whether files can be written there.</summary>
    /// <exception cref="LoadException">They cannot.</exception>
    public void Try()
    {
        Try("--json", line.Json, TryFile);
        Try("--keep-gate", Kept, path =>
        {
            _ = new Gate(path);   // its rows say what is kept
            TryFile(path);
        });
    }

    /// <summary>Writes all that was asked for.</summary>
    /// <param name="results">What the run measured.</param>
    /// <param name="broken">Takes what could not be written.</param>
    public void Save(Results results, List<string> broken)
    {
        Save("--json", line.Json, broken, path => JsonReport.Write(path, results));
        Save("--keep-gate", Kept, broken, path => new Gate(path).Keep(results.Stamp, results.Rows));
    }

    private static void Try(string option, string? path, Action<string> trial)
    {
        try
        {
            if (path is not null)
            {
                trial(path);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new LoadException(
                $"{option} {path} cannot be written: {(Directory.Exists(path) ? "it is a folder" : e.Message)}");
        }
    }

    private static void TryFile(string path)
    {
        if (Path.GetDirectoryName(Path.GetFullPath(path)) is { } folder)
        {
            Directory.CreateDirectory(folder);
        }

        bool isNew = !File.Exists(path);
        new FileStream(path, FileMode.OpenOrCreate, FileAccess.Write).Dispose();   // what is there stays until there is something better
        if (isNew)
        {
            File.Delete(path);
        }
    }

    private static void Save(string option, string? path, List<string> broken, Action<string> write)
    {
        try
        {
            if (path is not null)
            {
                write(path);
            }
        }
        catch (Exception e)
        {
            broken.Add($"{option} {path}: {e.GetType().Name}: {e.Message}");   // whatever it is: the table and the verdict still come
        }
    }
}
