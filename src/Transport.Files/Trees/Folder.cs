using System;
using System.Text;

namespace Transport.Files;

/// <summary>A directory of the output: its place, what it shall get at the end, and its handle while somebody uses it.</summary>
/// <remarks>There may be a million: 80 bytes and its name, which is kept as UTF-8 in an array that it shares with others. So there is no field that another one could tell.</remarks>
internal sealed class Folder
{
    private const int NoTime = int.MinValue;
    private readonly byte[] _names;
    private long _seconds;
    private int _nanoseconds = NoTime;
    private short _mode = -1;
    private short _madeMode = -1;
    private readonly ushort _nameAt;
    private readonly byte _nameLength;

    /// <summary>Initializes a new instance of the <see cref="Folder"/> class.</summary>
    /// <param name="parent">The one that it is in; null: it is the root.</param>
    /// <param name="names">Where its name is kept.</param>
    /// <param name="nameAt">Where it begins there.</param>
    /// <param name="nameLength">Its bytes, at most 255.</param>
    /// <param name="hash">The name's hash, the parent's in it.</param>
    public Folder(Folder? parent, byte[] names, ushort nameAt, int nameLength, uint hash)
    {
        Parent = parent;
        Hash = hash;
        _names = names;
        _nameAt = nameAt;
        _nameLength = (byte)nameLength;
    }

    public Folder? Parent { get; }

    /// <summary>Gets its name, made anew at each call.</summary>
    public string Name => EntryName.FromBytes(NameBytes);

    public ReadOnlySpan<byte> NameBytes => _names.AsSpan(_nameAt, _nameLength);

    public uint Hash { get; }

    /// <summary>Gets or sets the mode asked for, 0 to 0777, or -1: implied, or named without one.</summary>
    public int Mode
    {
        get => _mode;
        set => _mode = (short)value;
    }

    /// <summary>Gets or sets the mode it was made with, the umask taken off; -1: not made by this run.</summary>
    public int MadeMode
    {
        get => _madeMode;
        set => _madeMode = (short)value;
    }

    public FileTime? Modified
    {
        get => _nanoseconds == NoTime ? null : new FileTime(_seconds, _nanoseconds);
        set
        {
            _seconds = value?.Seconds ?? 0;
            _nanoseconds = value?.Nanoseconds ?? NoTime;
        }
    }

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
