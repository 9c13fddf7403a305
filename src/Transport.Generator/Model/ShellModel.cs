namespace Transport.Generator.Model;

/// <summary>The declarations that generated code stands in: the marked type, and what is around it.</summary>
/// <param name="Namespace">The namespace, or empty.</param>
/// <param name="Outer">The declarations of the types around it, outermost first, such as <c>partial class Outer</c>.</param>
/// <param name="Keyword"><c>record</c>, <c>class</c>, <c>record struct</c>, <c>struct</c> or <c>interface</c>.</param>
/// <param name="Name">The type's name as it is written in code.</param>
/// <param name="Code">The type with its namespace: inside of it the name alone may mean a type of that name that it inherits.</param>
/// <param name="FullName">The name with namespace and outer types, for people and for the file.</param>
internal sealed record ShellModel(
    string Namespace,
    EquatableArray<string> Outer,
    string Keyword,
    string Name,
    string Code,
    string FullName);
