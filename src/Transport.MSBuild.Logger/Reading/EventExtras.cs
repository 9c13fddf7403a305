using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>The public values of event types that no shape describes (a task's own event class, a newer SDK): by name, so that nothing is
/// left behind.</summary>
internal sealed class EventExtras
{
    private readonly ConcurrentDictionary<Type, PropertyInfo[]> _properties = new();

    /// <summary>The public properties that an event has beyond its shape's type, each as an array of name and
    /// value.</summary>
    public IEnumerable<object?> Read(BuildEventArgs args, EventShape shape) =>
        _properties.GetOrAdd(args.GetType(), type => BeyondOf(type, shape.Type))
            .Select(property => (object?)new object?[] { property.Name, Get(property, args) });

    /// <summary>All public properties of an object as an array of arrays of name and value.</summary>
    public static object?[] ValueOf(object value) =>
        [.. BeyondOf(value.GetType(), typeof(object)).Select(property => (object?)new object?[] { property.Name, Get(property, value) })];

    private static PropertyInfo[] BeyondOf(Type type, Type known) =>
        [.. type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(p => p.GetIndexParameters().Length == 0 && p.CanRead && p.DeclaringType != known
                && !p.DeclaringType!.IsAssignableFrom(known) && p.Name != nameof(BuildEventArgs.Message))
            .OrderBy(p => p.Name, StringComparer.Ordinal)];

    private static object? Get(PropertyInfo property, object target)
    {
        try
        {
            return EventValues.Of(property.GetValue(target));
        }
        catch (TargetInvocationException e)
        {
            return $"({e.InnerException?.GetType().Name})";
        }
    }
}
