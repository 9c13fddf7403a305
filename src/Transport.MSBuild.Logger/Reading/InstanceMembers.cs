using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Reflection;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>Reads public properties of MSBuild's instances of properties and items by name: their types are in Microsoft.Build.dll, which a
/// logger does not refer to. Safe from any thread.</summary>
internal sealed class InstanceMembers
{
    private const string ItemInstance = "Microsoft.Build.Execution.ProjectItemInstance";

    private static readonly MethodInfo BindMethod =
        typeof(InstanceMembers).GetMethod(nameof(Bind), BindingFlags.NonPublic | BindingFlags.Static)!;

    private static readonly MethodInfo CopyMethod =
        typeof(InstanceMembers).GetMethod(nameof(CopyOf), BindingFlags.NonPublic | BindingFlags.Static)!;

    private static readonly Func<object, object?> Enumerate = FindEnumerate();

    private readonly ConcurrentDictionary<Type, Func<object, List<(string, object[])>>?> _dictionaries = new();
    private readonly ConcurrentDictionary<(Type Type, string Name), Func<object, object?>> _getters = new();

    /// <summary>Whether an item says its type: others of MSBuild's items are typed by the list that they are in.</summary>
    public static bool IsItemInstance(object item) => item.GetType().FullName == ItemInstance;

    /// <returns>The property's value; null if the type has no such property, or it is no string.</returns>
    public string? Text(object instance, string name) => Get(instance, name) as string;

    /// <returns>The property's value; null if the type has no such property, or it is no sequence.</returns>
    public IEnumerable? Sequence(object instance, string name) => Get(instance, name) as IEnumerable;

    /// <summary>Reads the items of an evaluated project, each type with a copy of its list, under the lock of MSBuild's own dictionary
    /// (ItemDictionary.EnumerateItemsPerType): targets may be adding items meanwhile.</summary>
    /// <returns>The lists; null if it is another sequence.</returns>
    public IReadOnlyList<(string Type, object[] Items)>? ItemsByType(IEnumerable items) =>
        _dictionaries.GetOrAdd(items.GetType(), static type => FindDictionary(type))?.Invoke(items);

    /// <summary>Reads an item's own metadata as MSBuild's binary logger does, without the copy that
    /// <see cref="ITaskItem.CloneCustomMetadata"/> makes.</summary>
    /// <returns>Names and values; null if this MSBuild or this kind of item has no such way.</returns>
    public static IEnumerable<KeyValuePair<string, string>>? Metadata(ITaskItem item) =>
        Enumerate(item) as IEnumerable<KeyValuePair<string, string>>;

    private object? Get(object instance, string name) =>
        _getters.GetOrAdd((instance.GetType(), name), static key => Find(key.Type, key.Name))(instance);

    private static Func<object, object?> Find(Type type, string name) =>
        type.GetProperty(name, BindingFlags.Public | BindingFlags.Instance)?.GetMethod is { IsStatic: false } getter
            && !getter.ReturnType.IsValueType && !type.IsValueType && getter.GetParameters().Length == 0
            ? (Func<object, object?>)BindMethod.MakeGenericMethod(type).Invoke(null, [getter])!
            : static _ => null;

    private static Func<object, object?> FindEnumerate()
    {
        Type? container = typeof(ITaskItem).Assembly.GetType("Microsoft.Build.Framework.IMetadataContainer");
        return container?.GetMethod("EnumerateMetadata", Type.EmptyTypes) is { } method && !method.ReturnType.IsValueType
            ? (Func<object, object?>)BindMethod.MakeGenericMethod(container).Invoke(null, [method])! : static _ => null;
    }

    private static Func<object, List<(string, object[])>>? FindDictionary(Type type)
    {
        foreach (MethodInfo method in type.GetMethods(BindingFlags.Public | BindingFlags.Instance))
        {
            ParameterInfo[] parameters = method.GetParameters();
            if (method.Name == "EnumerateItemsPerType" && parameters.Length == 1 && parameters[0].ParameterType.IsGenericType
                && parameters[0].ParameterType.GetGenericTypeDefinition() == typeof(Action<,>)
                && parameters[0].ParameterType.GetGenericArguments()[1] is { IsGenericType: true } list)
            {
                return (Func<object, List<(string, object[])>>)CopyMethod.MakeGenericMethod(list.GetGenericArguments()[0])
                    .Invoke(null, [method])!;
            }
        }

        return null;
    }

    private static Func<object, List<(string, object[])>> CopyOf<T>(MethodInfo enumerate)
        where T : class => dictionary =>
    {
        var lists = new List<(string, object[])>();
        Action<string, IEnumerable<T>> take = (type, items) => lists.Add((type, [.. items]));
        enumerate.Invoke(dictionary, [take]);
        return lists;
    };

    /// <returns>Calls a method without arguments; null of an object of another type.</returns>
    private static Func<object, object?> Bind<T>(MethodInfo getter)
    {
        var typed = (Func<T, object?>)getter.CreateDelegate(typeof(Func<T, object?>));
        return instance => instance is T one ? typed(one) : null;
    }
}
