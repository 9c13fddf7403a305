using System;
using System.Collections;
using System.Collections.Generic;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>An item of an event, as MSBuild's loggers take items. Immutable.</summary>
/// <param name="spec">Its spec.</param>
/// <param name="metadata">Its metadata.</param>
internal sealed class RecordedItem(string spec, Dictionary<string, string> metadata) : ITaskItem
{
    public string ItemSpec
    {
        get => spec;
        set => throw Immutable();
    }

    public ICollection MetadataNames => metadata.Keys;

    public int MetadataCount => metadata.Count;

    public string GetMetadata(string metadataName) => metadata.GetValueOrDefault(metadataName, string.Empty);

    public IDictionary CloneCustomMetadata() => new Dictionary<string, string>(metadata, metadata.Comparer);

    public void SetMetadata(string metadataName, string metadataValue) => throw Immutable();

    public void RemoveMetadata(string metadataName) => throw Immutable();

    public void CopyMetadataTo(ITaskItem destinationItem)
    {
        ArgumentNullException.ThrowIfNull(destinationItem);
        foreach ((string name, string value) in metadata)
        {
            destinationItem.SetMetadata(name, value);
        }
    }

    private static NotSupportedException Immutable() => new("An item of a recorded build cannot be changed.");
}
