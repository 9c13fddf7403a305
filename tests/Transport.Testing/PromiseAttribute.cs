using System;

namespace Transport;

/// <summary>Marks the test that proves a promise of docs/reference/promises.md, which is made from these marks.</summary>
/// <param name="section">The page's section.</param>
/// <param name="text">The promise, one sentence.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PromiseAttribute(string section, string text) : Attribute
{
    /// <summary>Gets the section of the page.</summary>
    public string Section => section;

    /// <summary>Gets the promise.</summary>
    public string Text => text;
}
