namespace Transport.MSBuild;

/// <summary>What a name says of its value.</summary>
internal enum SecretKind
{
    /// <summary>It is no secret.</summary>
    None,

    /// <summary>It is called a key: a secret if it is the value of a variable or property, and more than a word.</summary>
    Key,

    /// <summary>It is a secret.</summary>
    Secret,
}
