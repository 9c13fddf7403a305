using System;
using System.Formats.Tar;
using System.IO;
using System.IO.Compression;

namespace Transport.Loads.Trees;

/// <summary>The tree as archives, and archives of a single file: what a program needs for that one is its start.</summary>
internal sealed class TreeArchives
{
    public TreeArchives(string folder, TreeContent content)
    {
        Tar = Path.Combine(folder, "tree.tar");
        Zip = Path.Combine(folder, "tree.zip");
        OneTar = Path.Combine(folder, "one.tar");
        OneZip = Path.Combine(folder, "one.zip");
        WriteTar(Tar, content, content.Files.Count);
        WriteTar(OneTar, content, 1);
        WriteZip(Zip, content, content.Files.Count);
        WriteZip(OneZip, content, 1);
    }

    public string Tar { get; }

    public string Zip { get; }

    public string OneTar { get; }

    public string OneZip { get; }

    private static void WriteTar(string path, TreeContent content, int files)
    {
        using var tar = new TarWriter(File.Create(path), TarEntryFormat.Ustar);
        string last = string.Empty;
        for (int i = 0; i < files; i++)
        {
            (string name, byte[] bytes) = content.Files[i];
            string folder = name[..name.IndexOf('/', StringComparison.Ordinal)];
            if (folder != last)
            {
                last = folder;
                tar.WriteEntry(new UstarTarEntry(TarEntryType.Directory, folder + "/")
                {
                    Mode = (UnixFileMode)TreeContent.FolderMode, ModificationTime = Time,
                });
            }

            using var data = new MemoryStream(bytes);
            tar.WriteEntry(new UstarTarEntry(TarEntryType.RegularFile, name)
            {
                Mode = (UnixFileMode)TreeContent.FileMode, ModificationTime = Time, DataStream = data,
            });
        }
    }

    private static void WriteZip(string path, TreeContent content, int files)
    {
        using ZipArchive zip = ZipFile.Open(path, ZipArchiveMode.Create);
        for (int i = 0; i < files; i++)
        {
            ZipArchiveEntry entry = zip.CreateEntry(content.Files[i].Path);
            entry.LastWriteTime = Time;
            using Stream data = entry.Open();
            data.Write(content.Files[i].Bytes);
        }
    }

    private static DateTimeOffset Time => DateTimeOffset.FromUnixTimeSeconds(TreeContent.Modified);
}
