namespace Transport.Generator.Model;

/// <summary>All that the code of one service is written from; comparable, and free of the compiler's trees.</summary>
/// <param name="Namespace">The namespace, or empty.</param>
/// <param name="Access"><c>public</c> or <c>internal</c>.</param>
/// <param name="Name">The interface's name without its I, as it is written in code after another word.</param>
/// <param name="Code">The interface with its namespace.</param>
/// <param name="FullName">The interface's name with its namespace, for people and for the file.</param>
/// <param name="Title">Its name for people, in errors and counters.</param>
/// <param name="Calls">Its methods in the order of their numbers.</param>
internal sealed record ServiceModel(
    string Namespace, string Access, string Name, string Code, string FullName, string Title, EquatableArray<CallModel> Calls);

/// <summary>One method of a service.</summary>
/// <param name="Id">The number of its request.</param>
/// <param name="Name">The method's name, as it is written in code.</param>
/// <param name="Title">Its name for people.</param>
/// <param name="Kind">What it returns.</param>
/// <param name="Returns">What it returns, as code.</param>
/// <param name="Result">The value or item that it returns; null: none.</param>
/// <param name="Parameters">Its parameters, without the token.</param>
/// <param name="Token">The parameter that is a CancellationToken; null: it has none.</param>
internal sealed record CallModel(
    int Id,
    string Name,
    string Title,
    CallKind Kind,
    string Returns,
    FieldModel? Result,
    EquatableArray<ParameterModel> Parameters,
    ParameterModel? Token);

/// <summary>What a method of a service returns.</summary>
internal enum CallKind
{
    /// <summary>Task.</summary>
    Nothing,

    /// <summary>Task of a value.</summary>
    Value,

    /// <summary>IAsyncEnumerable.</summary>
    Stream,
}

/// <summary>One parameter.</summary>
/// <param name="Name">Its name as it is written in code.</param>
/// <param name="Type">Its type, as the interface declares it.</param>
/// <param name="Default">The end of its declaration, <c> = 3</c>; or empty.</param>
/// <param name="Field">The field that it travels as; null for a token.</param>
internal sealed record ParameterModel(string Name, string Type, string Default, FieldModel? Field);

/// <summary>What came of one service.</summary>
internal sealed record ServiceResult(ServiceModel? Service, EquatableArray<DiagnosticInfo> Diagnostics, Place IdPlace)
    : System.IEquatable<ServiceResult>;
