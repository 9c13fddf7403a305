using System;
using System.Text;

namespace Transport.Files.Trees;

/// <summary>A directory of the output: its place, what it shall get at the end, and its handle while somebody uses it. Small, because there may be a million.</summary>
internal sealed class Folder(Folder? parent, string name, uint hash)
{
    public Folder? Parent { get; } = parent;

    public string Name { get; } = name;

    public uint Hash { get; } = hash;

    public int Depth { get; } = parent is null ? 0 : parent.Depth + 1;

    /// <summary>Gets or sets the next one in the same bucket of the table.</summary>
    public Folder? Next { get; set; }

    /// <summary>Gets or sets the mode asked for, 0 to 0777, or -1: implied, or named without one.</summary>
    public int Mode { get; set; } = -1;

    /// <summary>Gets or sets the mode it was made with, the umask taken off; -1: not made by this run.</summary>
    public int MadeMode { get; set; } = -1;

    public FileTime? Modified { get; set; }

    /// <summary>Gets or sets a value indicating whether an entry of its own named it.</summary>
    public bool IsNamed { get; set; }

    /// <summary>Gets or sets a value indicating whether it is there, made or found; written under the folder's lock.</summary>
    public bool IsThere { get; set; }

    /// <summary>Gets or sets what its handle's number tells it from others by, once it is there: a directory that was put in its place has another.</summary>
    public ulong Identity { get; set; }

    /// <summary>Gets or sets the tree's handle, while open.</summary>
    public object? Handle { get; set; }

    /// <summary>Gets the path below the root, "." for the root.</summary>
    public string Path => Parent is null ? "." : Append(new StringBuilder()).ToString();

    /// <summary>Gives the path of something in here.</summary>
    public string PathOf(string name) => Parent is null ? name : Append(new StringBuilder()).Append('/').Append(name).ToString();

    private StringBuilder Append(StringBuilder text) => Parent is null ? text : Parent.Parent is null ? text.Append(Name) : Parent.Append(text).Append('/').Append(Name);
}
