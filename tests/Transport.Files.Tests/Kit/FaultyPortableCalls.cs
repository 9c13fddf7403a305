using System;
using System.Collections.Generic;
using System.IO;

namespace Transport.Files.Tests.Kit;

/// <summary>The calls by path with faults: before each call a test is asked, by the call's word and path, what it throws.</summary>
/// <param name="fault">Returns what a call throws, or null.</param>
/// <param name="publishingOnly">Whether only the calls that publish and sync are asked about and logged.</param>
internal sealed class FaultyPortableCalls(Func<string, string, Exception?> fault, bool publishingOnly = false) : PortableCalls
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

    public override FileStream CreateFile(string path)
    {
        AskWriting("create", path);
        return base.CreateFile(path);
    }

    public override void Write(string path, Stream stream, ReadOnlySpan<byte> bytes)
    {
        AskWriting("write", path);
        base.Write(path, stream, bytes);
    }

    public override void Sync(string path, FileStream stream)
    {
        AskWriting("sync", path);
        base.Sync(path, stream);
    }

    public override void Close(string path, FileStream stream)
    {
        base.Close(path, stream);
        AskWriting("close", path);
    }

    public override void SetTime(string path, FileTime modified)
    {
        AskWriting("time", path);
        base.SetTime(path, modified);
    }

    public override void SetDirectoryTime(string path, FileTime modified)
    {
        AskWriting("time", path);
        base.SetDirectoryTime(path, modified);
    }

    public override void CreateDirectory(string path)
    {
        AskWriting("mkdir", path);
        base.CreateDirectory(path);
    }

    public override void CreateSymbolicLink(string path, string target)
    {
        AskWriting("symlink", path);
        base.CreateSymbolicLink(path, target);
    }

    private void AskWriting(string word, string path)
    {
        if (!publishingOnly)
        {
            Ask(word, path);
        }
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
