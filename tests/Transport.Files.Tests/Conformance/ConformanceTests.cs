using NUnit.Framework;
using Transport.Files.Tests.Kit;

namespace Transport.Files.Tests.Conformance;

/// <summary>
/// The suite that both implementations of <see cref="IFileSystem"/> pass: every fixture that derives from this runs once with each. A test
/// that only one of them can pass says why.
/// </summary>
/// <param name="kind">The implementation.</param>
[TestFixture(FileSystemKind.Unix)]
[TestFixture(FileSystemKind.Portable)]
internal abstract class ConformanceTests(FileSystemKind kind)
{
    /// <summary>Gets the implementation.</summary>
    protected FileSystemKind Kind { get; } = kind;

    /// <summary>Returns options with the implementation, unless they have a file system.</summary>
    protected FileOutputOptions On(FileOutputOptions? options = null) => Kind.On(options);
}
