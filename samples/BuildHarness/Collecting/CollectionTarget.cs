using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Display;
using Transport;
using Transport.Files;
using Transport.MSBuild;
using Transport.Terminal;

namespace BuildHarness.Collecting;

/// <summary>The folder of <c>--collect-outputs</c>: what may stand there before, where files grow, and the one step in which the collection
/// appears. One thread.</summary>
internal sealed class CollectionTarget : IDisposable
{
    /// <summary>The file that says what a folder is: only a collection is ever replaced, so that a slip of the finger costs nobody a
    /// folder.</summary>
    public const string Marker = ".buildharness-collection";

    private readonly string _given;
    private readonly ExistingTarget _existing;
    private readonly (ulong Device, ulong Number) _replaced, _growing;
    private readonly Publication _publication;

    private CollectionTarget(string given, ExistingTarget existing, Publication publication)
    {
        _given = given;
        _existing = existing;
        _publication = publication;
        _replaced = FileStatus.IdentityOf(publication.Target);
        string content = publication.ContentPath;
        Incoming = Path.Combine(Path.GetDirectoryName(content)!, Path.GetFileName(content) == "in" ? "incoming" : "in");
        Directory.CreateDirectory(Incoming);
        _growing = FileStatus.IdentityOf(Incoming);
    }

    /// <summary>Gets the full path.</summary>
    public string FullPath => _publication.Target;

    /// <summary>Gets the earlier collection, if one is to be replaced: what has not changed is taken over from it.</summary>
    public string? Earlier => _existing == ExistingTarget.Replace ? FullPath : null;

    /// <summary>Gets the folder in the staging for what comes; what is left in it goes with the staging.</summary>
    public string Incoming { get; }

    /// <summary>Gets what is to be reported besides: stagings of killed runs that were removed, or what could not be.</summary>
    public string? Remark =>
        _publication.StagingsRemoved > 0
            ? $"--collect-outputs {_given}: removed what {Counted.Of(_publication.StagingsRemoved, "killed run")} had left"
        : _publication.LeftBehind is { } left ? $"--collect-outputs {_given}: left behind, {left}"
        : null;

    /// <exception cref="HarnessException">Nothing can be published there.</exception>
    public static CollectionTarget Open(string directory)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(directory));
        try
        {
            ExistingTarget existing = Look(directory, full);
            var publication = Publication.Begin(full, new FileOutputOptions { Existing = existing });
            try
            {
                return new CollectionTarget(directory, existing, publication);
            }
            catch
            {
                publication.Dispose();
                throw;
            }
        }
        catch (Exception e) when (e is TransportException or IOException or UnauthorizedAccessException)
        {
            throw Fault(directory, e.Message);
        }
    }

    /// <summary>Reports what goes wrong, in one line.</summary>
    public static HarnessException Fault(string directory, string why) =>
        new(TerminalText.Escape($"--collect-outputs {directory}: {why}"), ExitCodes.BuildFailed);

    /// <summary>Refuses a build whose outputs and collection would be in each other.</summary>
    /// <exception cref="HarnessException">They would.</exception>
    public void CheckBeside(IEnumerable<BuiltProject> projects)
    {
        string parent = Path.GetDirectoryName(FullPath)!;
        foreach (BuiltProject project in projects)
        {
            // Its parent counts, because the collection grows there.
            string? other = IsIn(parent, project.OutputFolder) ? $"it is in the output folder of {project.Title}"
                : IsIn(project.OutputFolder, FullPath) ? $"the output folder of {project.Title} is in it"
                : IsIn(Path.GetDirectoryName(project.Path)!, FullPath) ? $"the project {project.Title} is in it"
                : null;
            if (other is not null)
            {
                throw Fault(_given, other + "; name another folder.");
            }
        }
    }

    /// <summary>Gives what has come its names, and publishes.</summary>
    /// <param name="folders">The folders in <see cref="Incoming"/>, and what each is to be called.</param>
    /// <exception cref="HarnessException">It cannot be published; what was there is as it was.</exception>
    public void Publish(IReadOnlyDictionary<string, string> folders)
    {
        try
        {
            if (FileStatus.IdentityOf(Incoming) != _growing)
            {
                throw Fault(_given, "the folder that it is in was moved or removed while the build ran.");
            }

            string content = _publication.ContentPath;
            Directory.CreateDirectory(content);
            File.WriteAllText(Path.Combine(content, Marker), "Outputs that `buildharness build --collect-outputs` collected: the next "
                + "collection into this folder replaces all of it.\n");
            foreach ((string from, string name) in folders)
            {
                Directory.Move(Path.Combine(Incoming, from), Path.Combine(content, name));
            }

            // An earlier collection that was moved away meanwhile is somebody's, and shares files with this one.
            ExistingTarget there = Look(_given, FullPath);
            if (there != _existing || (there == ExistingTarget.Replace && FileStatus.IdentityOf(FullPath) != _replaced))
            {
                throw Fault(_given, there == ExistingTarget.Refuse ? "what was there was moved or removed while the build ran."
                    : "something else has taken its place meanwhile.");
            }

            _publication.Publish();
        }
        catch (Exception e) when (e is TransportException or IOException or UnauthorizedAccessException)
        {
            throw Fault(_given, e.Message);
        }
    }

    public void Dispose() => _publication.Dispose();

    /// <summary>Looks at what is there, and says how far it may be replaced.</summary>
    private static ExistingTarget Look(string given, string full)
    {
        var there = new DirectoryInfo(full);
        if (there.LinkTarget is not null)
        {
            throw Fault(given, "it is a link; name the folder that it leads to.");
        }

        if (!there.Exists)
        {
            return File.Exists(full) ? throw Fault(given, "it is a file; name a folder.") : ExistingTarget.Refuse;
        }

        if (there.Parent is { } parent && FileStatus.IdentityOf(full).Device != FileStatus.IdentityOf(parent.FullName).Device)
        {
            throw Fault(given, "another file system is mounted there, and nothing can take its place; name a folder in it.");
        }

        return !there.EnumerateFileSystemInfos().Any() ? ExistingTarget.RefuseUnlessEmpty
            : File.Exists(Path.Combine(full, Marker)) ? ExistingTarget.Replace
            : throw Fault(given, $"it is not empty and no earlier collection (it has no {Marker}); name a folder that is not there, is "
                + "empty, or was collected into before.");
    }

    private static bool IsIn(string path, string folder) =>
        folder.Length > 0 && (path.Equals(folder, StringComparison.Ordinal)
            || path.StartsWith(folder + Path.DirectorySeparatorChar, StringComparison.Ordinal));
}
