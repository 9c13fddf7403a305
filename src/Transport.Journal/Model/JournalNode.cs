using System;
using System.Text;

namespace Transport.Journal;

/// <summary>The name of the node that a packet came from, encoded once. Immutable; make one a node and keep it.</summary>
public sealed class JournalNode
{
    /// <summary>The longest name, in characters.</summary>
    public const int MaxLength = 64;

    private readonly byte[] _utf8;

    /// <summary>Initializes a new instance of the <see cref="JournalNode"/> class.</summary>
    /// <param name="name">1 to 64 characters of A-Z a-z 0-9 . _ -, as node names are on the wire.</param>
    /// <exception cref="ArgumentException">Another name, or null.</exception>
    public JournalNode(string name)
    {
        Name = name ?? throw new ArgumentNullException(nameof(name));
        if (!NodeName.IsValid(name))
        {
            string allowed = $"A node's name has 1 to {MaxLength} characters of A-Z a-z 0-9 . _ -";
            throw new ArgumentException($"{allowed}, and this one has {name.Length} or others: \"{name}\".", nameof(name));
        }

        _utf8 = Encoding.ASCII.GetBytes(name);
    }

    /// <summary>Gets the name.</summary>
    public string Name { get; }

    internal ReadOnlySpan<byte> Utf8 => _utf8;

    /// <inheritdoc/>
    public override string ToString() => Name;
}
