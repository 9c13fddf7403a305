using System.Globalization;
using System.IO;

namespace Transport.Files;

/// <summary>
/// The content that a publication moved away from its target, between the two renames that replace it. It waits beside the target under
/// the target's own name, in a directory named like the staging with <c>.old</c> appended. No staging has such a name, so no cleaner
/// deletes it.
/// </summary>
/// <remarks>
/// Only the holder of the staging's lock may touch it: the run itself, or a later run if that one has exited. If the staging still has its
/// content, nothing was published: the old content goes back to the target if that is free; otherwise both stay. If the staging has no
/// content, that was published, and the old content is removed. A link in the place of the directory is never followed, and a directory of
/// another owner never used: somebody else put it there.
/// </remarks>
/// <param name="calls">The calls of .NET.</param>
/// <param name="staging">The staging's path.</param>
/// <param name="name">The target's name.</param>
/// <param name="owner">The owner that the directory must have; null for any.</param>
/// <param name="retries">Counts tries.</param>
internal sealed class ReplacedContent(PortableCalls calls, string staging, string name, uint? owner, Retries retries)
{
    private readonly string _folder = StagingName.ReplacedPath(staging);
    private int _discarded;

    /// <summary>Gets a value indicating whether the directory exists, is not a link and has the right owner.</summary>
    public bool IsThere => owner is null
        ? PortableCalls.IsDirectory(_folder)
        : UnixLook.At(_folder) is { IsDirectory: true } found && found.User == owner;

    /// <summary>Gets a remark for a person about where the content is.</summary>
    public string Remark =>
        $"what was there before is in '{TerminalText.Escape(Content)}'; the next run moves it back once nothing is in its place";

    private string Content => Path.Combine(_folder, name);

    private bool HasContent => IsThere && PortableCalls.IsThere(Content);

    /// <summary>Moves the target's content away, if there is any.</summary>
    /// <param name="target">The target's path.</param>
    /// <param name="sync">What is synced.</param>
    /// <exception cref="FileCallException">It cannot be moved, or somebody else put something in the place of the directory.</exception>
    public void Take(string target, FileSync sync)
    {
        if (HasContent)
        {
            // Somebody else published since: that content is replaced now.
            DiscardContent();
        }

        if (!PortableCalls.IsThere(target))
        {
            return;
        }

        MakeFolder();
        if (sync == FileSync.All)
        {
            calls.SyncDirectory(Path.GetDirectoryName(_folder)!);
        }

        try
        {
            Move(target, Content);
        }
        catch (FileCallException) when (!HasContent)
        {
            TryDeleteFolder();
            if (PortableCalls.IsThere(target))
            {
                throw;
            }
        }

        if (sync == FileSync.All && IsThere)
        {
            calls.SyncDirectory(_folder);
        }
    }

    /// <summary>Moves it back if the target is free; otherwise it stays.</summary>
    /// <param name="target">The target's path.</param>
    public void PutBack(string target)
    {
        try
        {
            if (HasContent && !PortableCalls.IsThere(target))
            {
                Move(Content, target);
            }
        }
        catch (FileCallException)
        {
            // It stays, and the next run tries again.
        }

        TryDeleteFolder();
    }

    /// <summary>Gives it up after the new content was published: it is removed with the staging.</summary>
    /// <exception cref="FileCallException">It could not be moved; the next run removes it.</exception>
    public void Discard()
    {
        if (HasContent)
        {
            DiscardContent();
        }

        TryDeleteFolder();
    }

    /// <summary>Settles what an abandoned run left, under the lock of its staging if that still exists.</summary>
    /// <param name="target">The target's path.</param>
    /// <param name="isPublished">Whether the new content was published.</param>
    public void Settle(string target, bool isPublished)
    {
        if (isPublished && HasContent)
        {
            calls.DeleteTree(_folder);
        }
        else
        {
            PutBack(target);
        }
    }

    private void MakeFolder()
    {
        if (!PortableCalls.IsThere(_folder))
        {
            Directory.CreateDirectory(_folder);
        }

        if (!IsThere)
        {
            string why = $"'{TerminalText.Escape(_folder)}' is not a folder of this run: somebody else has put it there";
            throw new FileCallException("publish", TransportFault.FileTreeChanged, why);
        }
    }

    private void DiscardContent()
    {
        string garbage;
        do
        {
            garbage = Path.Combine(staging, ".old" + (++_discarded).ToString(CultureInfo.InvariantCulture));
        }
        while (PortableCalls.IsThere(garbage));
        Move(Content, garbage);
    }

    private void Move(string from, string to) => PortableCalls.Run("rename", to, retries, () => calls.Move(from, to));

    /// <summary>Deletes the directory if it is empty.</summary>
    private void TryDeleteFolder()
    {
        try
        {
            if (IsThere)
            {
                Directory.Delete(_folder);
            }
        }
        catch (System.Exception notEmpty) when (notEmpty is IOException or System.UnauthorizedAccessException)
        {
        }
    }
}
