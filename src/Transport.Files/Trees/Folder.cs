using System;
using System.Text;

namespace Transport.Files;

/// <summary>A directory of the output: its name, the mode and time it gets at the end, and its handle while that is open.</summary>
/// <remarks>
/// There may be a million: 80 bytes each, and the name as UTF-8 in an array shared with others. So no field repeats what another one holds.
/// The tree's lock guards <see cref="IsThere"/>, <see cref="Identity"/> and <see cref="Handle"/>.
/// </remarks>
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
    /// <param name="parent">Its parent; null for the root.</param>
    /// <param name="names">The array with its name.</param>
    /// <param name="nameAt">The name's start in the array.</param>
    /// <param name="nameLength">The name's bytes, at most 255.</param>
    /// <param name="hash">The hash of the name and the parent's hash.</param>
    public Folder(Folder? parent, byte[] names, ushort nameAt, int nameLength, uint hash)
    {
        Parent = parent;
        Hash = hash;
        _names = names;
        _nameAt = nameAt;
        _nameLength = (byte)nameLength;
    }

    public Folder? Parent { get; }

    /// <summary>Gets its name, built at each call.</summary>
    public string Name => EntryName.FromBytes(NameBytes);

    public ReadOnlySpan<byte> NameBytes => _names.AsSpan(_nameAt, _nameLength);

    public uint Hash { get; }

    /// <summary>Gets or sets the mode asked for, 0 to 0777; -1 if there is none.</summary>
    public int Mode
    {
        get => _mode;
        set => _mode = (short)value;
    }

    /// <summary>Gets or sets the mode it was created with, after the umask; -1 if this run did not create it.</summary>
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

    /// <summary>Gets or sets a value indicating whether it has an entry of its own.</summary>
    public bool IsNamed { get; set; }

    /// <summary>Gets or sets a value indicating whether it exists, created or found.</summary>
    public bool IsThere { get; set; }

    /// <summary>Gets or sets its identity in the file system, after it exists. A directory put in its place has another identity.</summary>
    public ulong Identity { get; set; }

    /// <summary>Gets or sets the handle of the file system, while it is open.</summary>
    public object? Handle { get; set; }

    /// <summary>Gets the path below the root, "." for the root.</summary>
    public string Path => Parent is null ? "." : Append(new StringBuilder()).ToString();

    /// <summary>Returns the path of an entry in this directory.</summary>
    /// <param name="name">The entry's name.</param>
    public string PathOf(string name) => Parent is null ? name : Append(new StringBuilder()).Append('/').Append(name).ToString();

    private StringBuilder Append(StringBuilder text)
    {
        if (Parent is null)
        {
            return text;
        }

        return Parent.Parent is null ? text.Append(Name) : Parent.Append(text).Append('/').Append(Name);
    }
}
