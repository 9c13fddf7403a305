using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <content>A single file, whole or not at all.</content>
public sealed partial class FileOutput
{
    /// <summary>Publishes one file: it appears at its target whole, or not at all.</summary>
    /// <param name="target">The file to appear; its parent must be there.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="entry">Mode and time.</param>
    /// <param name="options">Limits and wishes; null: the defaults.</param>
    /// <param name="cancellation">Cancelled before the file is published, nothing is.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="TransportException">As <see cref="Publish"/> and <see cref="CompleteAsync"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static Task<FileReceipt> PublishFileAsync(string target, ReadOnlyMemory<byte> bytes, FileEntry entry = default, FileOutputOptions? options = null, CancellationToken cancellation = default) =>
        PublishFileAsync(target, (output, name) => output.WriteAsync(name, bytes, entry, cancellation), options, cancellation);

    /// <summary>Publishes one file whose bytes a stream gives: it appears at its target whole, or not at all.</summary>
    /// <param name="target">The file to appear; its parent must be there.</param>
    /// <param name="source">Where the bytes come from, from its position on; not disposed.</param>
    /// <param name="entry">Mode, time, and how many bytes it must have.</param>
    /// <param name="options">Limits and wishes; null: the defaults.</param>
    /// <param name="cancellation">Cancelled before the file is published, nothing is.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="TransportException">As <see cref="Publish"/> and <see cref="CompleteAsync"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="Exception">Whatever the stream throws comes back as it is; nothing is published.</exception>
    public static Task<FileReceipt> PublishFileAsync(string target, Stream source, FileEntry entry = default, FileOutputOptions? options = null, CancellationToken cancellation = default) =>
        PublishFileAsync(target, (output, name) => output.WriteAsync(name, source, entry, cancellation), options, cancellation);

    private static async Task<FileReceipt> PublishFileAsync(string target, Func<FileOutput, string, ValueTask> write, FileOutputOptions? options, CancellationToken cancellation)
    {
        FileOutput output = Begin(target, options, isTree: false);
        await using (output.ConfigureAwait(false))
        {
            await write(output, output._publication!.Name).ConfigureAwait(false);
            return await output.CompleteAsync(cancellation).ConfigureAwait(false);
        }
    }
}
