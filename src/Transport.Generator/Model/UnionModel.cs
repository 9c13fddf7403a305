namespace Transport.Generator.Model;

/// <summary>All that the code of one union is written from; comparable, and free of the compiler's trees.</summary>
/// <param name="Shell">The declarations that the code stands in.</param>
/// <param name="Cases">The cases in the order of their numbers; at least one.</param>
/// <param name="Default">The case that stands for a value that a packet lacks.</param>
internal sealed record UnionModel(ShellModel Shell, EquatableArray<UnionCase> Cases, UnionCase Default);

/// <summary>One case of a union.</summary>
/// <param name="Number">The number on the wire.</param>
/// <param name="Name">The type's name for people.</param>
/// <param name="Code">The type with its namespace, as code writes it.</param>
/// <param name="Depth">How many classes it is derived from: a writer looks for the most derived case first.</param>
internal sealed record UnionCase(int Number, string Name, string Code, int Depth);
