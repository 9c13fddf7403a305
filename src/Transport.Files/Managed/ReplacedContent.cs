using System.IO;
using System.Globalization;
using Transport.Files.Publishing;
using Transport.Files.Trees;
using Transport.Files.Writing;

namespace Transport.Files.Managed;

/// <summary>
/// What a publication has taken away from its target, between the two renames that replace it. It waits beside the target, in a folder
/// named as the staging with <c>.old</c> behind it, under the target's own name. No staging has such a name, so no cleaner deletes it.
/// </summary>
/// <remarks>
/// Whoever holds the staging's lock may touch it: the run itself, or a later one if that run is dead. While the staging still has its
/// content, nothing was published: the old content goes back if nothing else has taken its place, and otherwise both stay as they
/// are. If the content has gone, it stands at the target, and the old one is removed.
/// </remarks>
/// <param name="calls">The system.</param>
/// <param name="staging">The staging's path.</param>
/// <param name="name">The target's name.</param>
/// <param name="retries">Counts tries.</param>
internal sealed class ReplacedContent(ManagedCalls calls, string staging, string name, Retries retries)
{
    private readonly string _folder = StagingName.Replaced(staging);
    private int _discarded;

    public bool IsThere => Directory.Exists(_folder);

    /// <summary>Gets where it is, for a person.</summary>
    public string Remark =>
        $"what was there before is in '{EntryName.Escape(Content)}'; the next run moves it back once nothing is in its place";

    private string Content => Path.Combine(_folder, name);

    /// <summary>Takes what is at the target, if something is there.</summary>
    public void Take(string target, FileSync sync)
    {
        if (ManagedCalls.IsThere(Content))
        {
            // Somebody else has published since: that is what is replaced now.
            DiscardContent();
        }

        if (!ManagedCalls.IsThere(target))
        {
            return;
        }

        Directory.CreateDirectory(_folder);
        if (sync == FileSync.All)
        {
            calls.SyncDirectory(Path.GetDirectoryName(_folder)!);
        }

        try
        {
            Move(target, Content);
        }
        catch (FileCallException) when (!ManagedCalls.IsThere(Content))
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
            if (ManagedCalls.IsThere(Content) && !ManagedCalls.IsThere(target))
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
        if (ManagedCalls.IsThere(Content))
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
        if (isPublished && ManagedCalls.IsThere(Content))
        {
            calls.DeleteTree(_folder);
        }
        else
        {
            PutBack(target);
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
