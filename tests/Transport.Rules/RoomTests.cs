using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>A room names only rooms below it, judged by the types that its code names.</summary>
internal sealed class RoomTests
{
    [TestCaseSource(typeof(Package), nameof(Package.All))]
    public void Every_planned_room_exists_and_every_room_is_planned(Package package)
    {
        string[] rooms = [.. package.Files.Select(package.RoomOf).Distinct().Order(StringComparer.Ordinal)];
        Assert.That(rooms, Is.EqualTo(package.Rooms.Order(StringComparer.Ordinal)),
            $"the rooms of {package.Name}, as planned in Package.Plans");
    }

    [Test]
    public void A_room_names_only_rooms_below_it() =>
        ExceptionList.Check("rooms", Package.All.SelectMany(Upward), "Move the type down, or the code that names it up.");

    private static IEnumerable<KeyValuePair<string, int>> Upward(Package package)
    {
        foreach (SyntaxTree tree in package.Trees)
        {
            SemanticModel model = package.ModelOf(tree);
            int own = Array.IndexOf(package.Rooms, package.RoomOf(tree.FilePath));
            IEnumerable<string> named =
                from name in tree.GetRoot().DescendantNodes(descendIntoTrivia: false).OfType<SimpleNameSyntax>()
                let type = TypeOf(model.GetSymbolInfo(name).Symbol)
                where type is not null
                let file = type.DeclaringSyntaxReferences.Select(r => r.SyntaxTree.FilePath).FirstOrDefault()
                where file is not null
                let room = package.RoomOf(file)
                where Array.IndexOf(package.Rooms, room) > own
                select $"{tree.FilePath} names {type.Name} ({room})";
            foreach (string departure in named.Distinct())
            {
                yield return KeyValuePair.Create(departure, 1);
            }
        }
    }

    private static INamedTypeSymbol? TypeOf(ISymbol? symbol) => symbol switch
    {
        INamedTypeSymbol type => type.OriginalDefinition,
        IMethodSymbol or IPropertySymbol or IFieldSymbol or IEventSymbol => symbol.ContainingType?.OriginalDefinition,
        _ => null,
    };
}
