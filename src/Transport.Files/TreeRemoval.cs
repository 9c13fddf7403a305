using System;
using System.IO;
using System.Threading;

namespace Transport.Files;

/// <summary>Removes a tree that stands under a name: first the name, in one step, then what is in it.</summary>
/// <remarks>The tree moves into a staging beside it, as a publication has one. So nobody sees a part of it, and what a killed removal
/// leaves is removed by the next removal or publication of that name.</remarks>
internal static class TreeRemoval
{
    /// <summary>Removes it.</summary>
    /// <param name="directory">The tree's path, checked by nobody yet.</param>
    /// <param name="options">Checked options.</param>
    /// <param name="cancellationToken">If it is cancelled, what is left gets its name back.</param>
    /// <returns>Whether there was a tree, or what a killed removal had left of one.</returns>
    /// <exception cref="TransportException">Something could not be removed; see <see cref="FileOutput.RemoveTreeAsync"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static bool Run(string directory, FileOutputOptions options, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var retries = new Retries(options.RetryFor, options.OnSpan);
        (string path, IStaging taken) = Publication.Stage(directory, options, ExistingTarget.Replace, retries, "remove");
        using IStaging staging = taken;
        string name = Path.GetFileName(path);
        bool isTaken = false;
        try
        {
            isTaken = Guarded.Run(path, "remove", () => staging.TryTakeAway(name));
            Exception? left = staging.Remove(options.Writers, cancellationToken);
            if (left is not null)
            {
                throw FileCallException.Failure(path, "remove", left).ToException();
            }

            return isTaken || staging.AbandonedRemoved > 0;
        }
        catch
        {
            if (isTaken)
            {
                staging.GiveBack(name);
            }

            _ = staging.Remove(options.Writers);   // empty, or what got no name back because something else has it
            throw;
        }
    }
}
