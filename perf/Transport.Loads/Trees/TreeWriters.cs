using System;
using System.Formats.Tar;
using System.IO;
using System.IO.Compression;
using System.Threading.Tasks;
using Transport.Files;

namespace Transport.Loads.Trees;

/// <summary>Those who write a tree, each into a folder that is not there yet.</summary>
internal static class TreeWriters
{
    /// <summary>This library, fed from memory, published; with modes, and with times unless they are not wanted: what tar does
    /// too.</summary>
    public static TreeSample Output(TreeContent content, string target, FileOutputOptions options) =>
        TreeSample.Of(() => OutputAsync(content, target, options).GetAwaiter().GetResult());

    /// <summary>What a program does that knows nothing better.</summary>
    public static TreeSample Plain(TreeContent content, string target) => TreeSample.Of(() =>
    {
        foreach (string folder in content.Folders)
        {
            Directory.CreateDirectory(Path.Combine(target, folder));
        }

        foreach ((string path, byte[] bytes) in content.Files)
        {
            File.WriteAllBytes(Path.Combine(target, path), bytes);
        }
    });

    /// <summary>Equal files by this library, without a time.</summary>
    public static TreeSample OutputFiles(string target, string[] names, ReadOnlyMemory<byte> bytes, FileOutputOptions options) =>
        TreeSample.Of(() => OutputFilesAsync(target, names, bytes, options).GetAwaiter().GetResult());

    /// <summary>Equal files by <c>File.WriteAllBytes</c>.</summary>
    public static TreeSample PlainFiles(string target, string[] names, ReadOnlyMemory<byte> bytes) => TreeSample.Of(() =>
    {
        Directory.CreateDirectory(target);
        foreach (string name in names)
        {
            File.WriteAllBytes(Path.Combine(target, name), bytes.Span);
        }
    });

    /// <summary>GNU tar; the folder is made before, as tar wants it.</summary>
    public static TreeSample Tar(string archive, string target, bool times)
    {
        Directory.CreateDirectory(target);
        return TreeSample.OfProgram("tar", times ? "-xf" : "-xmf", archive, "-C", target);
    }

    public static TreeSample Unzip(string archive, string target) => TreeSample.OfProgram("unzip", "-q", archive, "-d", target);

    public static TreeSample TarFileClass(string archive, string target)
    {
        Directory.CreateDirectory(target);
        return TreeSample.Of(() => TarFile.ExtractToDirectory(archive, target, overwriteFiles: false));
    }

    public static TreeSample ZipFileClass(string archive, string target) =>
        TreeSample.Of(() => ZipFile.ExtractToDirectory(archive, target));

    /// <summary>Why a program cannot be measured here, or null.</summary>
    public static string? Missing(string program) => Repository.OnPath(program) is null ? $"no {program} here" : null;

    private static async Task OutputAsync(TreeContent content, string target, FileOutputOptions options)
    {
        FileTime? time = options.SetTimes ? new FileTime(TreeContent.Modified) : null;
        FileOutput output = FileOutput.Publish(target, options);
        await using (output.ConfigureAwait(false))
        {
            var folder = new FileEntry { Mode = TreeContent.FolderMode, Modified = time };
            foreach (string path in content.Folders)
            {
                output.CreateDirectory(path, folder);
            }

            var file = new FileEntry { Mode = TreeContent.FileMode, Modified = time };
            foreach ((string path, byte[] bytes) in content.Files)
            {
                output.Write(path, bytes, file);
            }

            await output.CompleteAsync().ConfigureAwait(false);
        }
    }

    private static async Task OutputFilesAsync(string target, string[] names, ReadOnlyMemory<byte> bytes, FileOutputOptions options)
    {
        FileOutput output = FileOutput.Publish(target, options);
        await using (output.ConfigureAwait(false))
        {
            foreach (string name in names)
            {
                output.Write(name, bytes);
            }

            await output.CompleteAsync().ConfigureAwait(false);
        }
    }
}
