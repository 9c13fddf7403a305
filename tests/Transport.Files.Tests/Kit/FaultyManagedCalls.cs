using System;
using System.Collections.Generic;

namespace Transport.Files.Tests.Kit;

/// <summary>The calls by path with faults: before each one a test is asked, by the call's word and path, what it is to throw.</summary>
internal sealed class FaultyManagedCalls(Func<string, string, Exception?> fault) : ManagedCalls
{
    private readonly List<string> _log = [];

    /// <summary>Gets the calls so far, "word path".</summary>
    public string[] Log
    {
        get
        {
            lock (_log)
            {
                return [.. _log];
            }
        }
    }

    public override void Move(string from, string to)
    {
        Ask("move", to);
        base.Move(from, to);
    }

    public override void ReplaceFile(string from, string to)
    {
        Ask("replace", to);
        base.ReplaceFile(from, to);
    }

    public override void DeleteTree(string path)
    {
        Ask("delete", path);
        base.DeleteTree(path);
    }

    public override void SyncFile(string path)
    {
        Ask("file", path);
        base.SyncFile(path);
    }

    public override void SyncDirectory(string path)
    {
        Ask("folder", path);
        base.SyncDirectory(path);
    }

    private void Ask(string word, string path)
    {
        lock (_log)
        {
            _log.Add(word + " " + path);
        }

        if (fault(word, path) is { } failed)
        {
            throw failed;
        }
    }
}
