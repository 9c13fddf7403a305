using System.Globalization;
using System.IO;

namespace Transport.Files;

/// <summary>
/// What a publication has taken away from its target, between the two renames that replace it. It waits beside the target, in a folder
/// named as the staging with <c>.old</c> behind it, under the target's own name. No staging has such a name, so no cleaner deletes it.
/// </summary>
/// <remarks>
/// Whoever holds the staging's lock may touch it: the run itself, or a later one if that run is dead. While the staging still has its
/// content, nothing was published: the old content goes back if nothing else has taken its place, and otherwise both stay as they
/// are. If the content has gone, it stands at the target, and the old one is removed. A link in the place of the folder is never
/// followed, and a folder of another owner never used: somebody else has put it there.
/// </remarks>
/// <param name="calls">The system.</param>
/// <param name="staging">The staging's path.</param>
/// <param name="name">The target's name.</param>
/// <param name="owner">The owner that the folder must have; null: any.</param>
/// <param name="retries">Counts tries.</param>
internal sealed class ReplacedContent(ManagedCalls calls, string staging, string name, uint? owner, Retries retries)
{
    private readonly string _folder = StagingName.Replaced(staging);
    private int _discarded;

    /// <summary>Gets whether the folder is there, and is no link and nobody else's.</summary>
    public bool IsThere => owner is null
        ? ManagedCalls.IsDirectory(_folder)
        : UnixLook.At(_folder) is { IsDirectory: true } found && found.User == owner;

    /// <summary>Gets where it is, for a person.</summary>
    public string Remark =>
        $"what was there before is in '{EntryName.Escape(Content)}'; the next run moves it back once nothing is in its place";

    private string Content => Path.Combine(_folder, name);

    private bool HasContent => IsThere && ManagedCalls.IsThere(Content);

    /// <summary>Takes what is at the target, if something is there.</summary>
    /// <exception cref="FileCallException">It cannot be moved, or somebody else has put something in the place of the folder.</exception>
    public void Take(string target, FileSync sync)
    {
        if (HasContent)
        {
            // Somebody else has published since: that is what is replaced now.
            DiscardContent();
        }

        if (!ManagedCalls.IsThere(target))
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
            if (ManagedCalls.IsThere(target))
            {
                throw;
            }
        }

        if (sync == FileSync.All && IsThere)
        {
            calls.SyncDirectory(_folder);
        }
    }

    /// <summary>Puts it back, if nothing has taken its place; else it stays.</summary>
    public void PutBack(string target)
    {
        try
        {
            if (HasContent && !ManagedCalls.IsThere(target))
            {
                Move(Content, target);
            }
        }
        catch (FileCallException)
        {
            // It stays where it is, and the next run tries again.
        }

        TryDeleteFolder();
    }

    /// <summary>Gives it up, once the new content stands at the target: it goes with the staging.</summary>
    /// <exception cref="FileCallException">It is still there; the next run removes it.</exception>
    public void Discard()
    {
        if (HasContent)
        {
            DiscardContent();
        }

        TryDeleteFolder();
    }

    /// <summary>Settles what a dead run has left; under the lock of its staging, if that is still there.</summary>
    /// <param name="target">Where it was.</param>
    /// <param name="isPublished">Whether the new content stands there.</param>
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
        if (!ManagedCalls.IsThere(_folder))
        {
            Directory.CreateDirectory(_folder);
        }

        if (!IsThere)
        {
            string why = $"'{EntryName.Escape(_folder)}' is not a folder of this run: somebody else has put it there";
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
        while (ManagedCalls.IsThere(garbage));
        Move(Content, garbage);
    }

    private void Move(string from, string to) => ManagedCalls.Run("rename", to, retries, () => calls.Move(from, to));

    /// <summary>Only if it is empty.</summary>
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
