using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using Unpack;

namespace BuildHarness.Tests.Archives;

/// <summary>Reads archives from bytes.</summary>
internal static class Reading
{
    public static List<(ArchiveEntry Entry, string Content)> All(
        byte[] archive, ArchiveLimits? limits = null, bool foldsNames = false, bool onWindows = false)
    {
        string path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        File.WriteAllBytes(path, archive);
        try
        {
            var all = new List<(ArchiveEntry, string)>();
            using ArchiveReader reader = ArchiveReader.Open(path, limits ?? new ArchiveLimits(), foldsNames, onWindows);
            while (reader.Next() is { } entry)
            {
                using var content = new StreamReader(reader.Content, Encoding.Latin1, false, 1024, leaveOpen: true);
                all.Add((entry, content.ReadToEnd()));
            }

            return all;
        }
        finally
        {
            File.Delete(path);
        }
    }

    /// <summary>Why an archive is refused; null if it is not.</summary>
    public static string? Refusal(byte[] archive, ArchiveLimits? limits = null, bool foldsNames = false, bool onWindows = false)
    {
        try
        {
            All(archive, limits, foldsNames, onWindows);
            return null;
        }
        catch (ArchiveException e)
        {
            return e.Message;
        }
    }

    /// <summary>One line an entry: path, kind, content or link name.</summary>
    public static string[] Lines(byte[] archive) =>
        [.. All(archive).ConvertAll(
            e => $"{e.Entry.Path} {e.Entry.Kind} {(e.Entry.LinkName.Length > 0 ? e.Entry.LinkName : e.Content)}".TrimEnd())];
}
