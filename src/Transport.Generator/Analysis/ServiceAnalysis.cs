using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>Turns one interface marked [Service] into the model that its code is written from, or into messages.</summary>
internal sealed class ServiceAnalysis
{
    private const int Least = 1024;
    private const string Token = "System.Threading.CancellationToken";

    private readonly INamedTypeSymbol _type;
    private readonly TypeDeclarationSyntax _syntax;
    private readonly AttributeData _attribute;
    private readonly List<DiagnosticInfo> _messages = [];

    private ServiceAnalysis(INamedTypeSymbol type, TypeDeclarationSyntax syntax, AttributeData attribute) =>
        (_type, _syntax, _attribute) = (type, syntax, attribute);

    private string TypeName => Names.People(_type);

    private Location Place => _syntax.Identifier.GetLocation();

    private Location AttributePlace =>
        (_attribute.ApplicationSyntaxReference?.GetSyntax() as AttributeSyntax)?.ArgumentList?.Arguments.FirstOrDefault()?.GetLocation()
        ?? Place;

    /// <summary>Gets the name of the interface without the I before it.</summary>
    private string ShortName =>
        _type.Name.Length > 1 && _type.Name[0] == 'I' && char.IsUpper(_type.Name[1]) ? _type.Name.Substring(1) : _type.Name;

    /// <summary>Analyzes a marked interface; null if it has no name yet.</summary>
    public static ServiceResult? Run(GeneratorAttributeSyntaxContext context, CancellationToken cancellation)
    {
        if (context.TargetSymbol is not INamedTypeSymbol type
            || context.TargetNode is not TypeDeclarationSyntax syntax || syntax.Identifier.ValueText.Length == 0)
        {
            return null;
        }

        var analysis = new ServiceAnalysis(type, syntax, context.Attributes[0]);
        ServiceModel? model = null;
        try
        {
            cancellation.ThrowIfCancellationRequested();
            model = analysis.MakeModel();
        }
        catch (Exception failure) when (failure is not OperationCanceledException)
        {
            analysis.Say(analysis.Place, Rules.Failed, type.Name, $"{failure.GetType().Name}: {failure.Message}");
        }

        return new ServiceResult(analysis._messages.Count == 0 ? model : null,
            new EquatableArray<DiagnosticInfo>([.. analysis._messages]), Model.Place.Of(analysis.AttributePlace));
    }

    private ServiceModel? MakeModel()
    {
        new Declaration(_type, _syntax, _messages).CheckLanguage();
        if (WhyNot() is { } why)
        {
            Say(Place, Rules.BadService, TypeName, why);
            return null;
        }

        if (_attribute.ConstructorArguments.FirstOrDefault().Value is not int id)
        {
            return null;   // The compiler has said what is wrong with it.
        }

        IMethodSymbol[] methods =
        [
            .. _type.GetMembers().OfType<IMethodSymbol>()
                .Where(m => m is { IsAbstract: true, IsStatic: false, MethodKind: MethodKind.Ordinary }),
        ];
        foreach (ISymbol other in _type.GetMembers().Where(m => m is { IsAbstract: true } and (IPropertySymbol or IEventSymbol)))
        {
            string what = other is IEventSymbol ? "an event" : "a property";
            Say(other.Locations.FirstOrDefault(), Rules.BadCall, other.Name, TypeName, $"it is {what}, and a call is a method");
        }

        int last = id + Math.Max(methods.Length - 1, 0);
        if (id < Least || last > ushort.MaxValue)
        {
            Say(AttributePlace, Rules.BadService, TypeName, $"its methods have the numbers {id} to {last}, and allowed are {Least} to "
                + $"{ushort.MaxValue}");
        }

        CallModel?[] calls = [.. methods.Select((method, i) => MakeCall(method, id + i))];
        return _messages.Count > 0 ? null : new ServiceModel(
            _type.ContainingNamespace.IsGlobalNamespace ? string.Empty : Declaration.Spaces(_type.ContainingNamespace),
            _type.DeclaredAccessibility == Accessibility.Public ? "public" : "internal",
            ShortName,
            Names.Code(_type),
            _type.ToDisplayString(),
            _type.Name,
            new EquatableArray<CallModel>([.. calls.OfType<CallModel>()]));
    }

    /// <summary>Finds why the interface is no service; null if it is one.</summary>
    private string? WhyNot()
    {
        if (_type.TypeKind != TypeKind.Interface)
        {
            return "it is no interface";
        }

        if (_type.IsGenericType)
        {
            return "it is generic, and a service is one interface with one shape";
        }

        if (_type.ContainingType is not null)
        {
            return "it stands inside another type: move it out, so that its client can stand beside it";
        }

        if (_type.IsFileLocal)
        {
            return "it is local to its file, and generated code stands in another";
        }

        if (_type.AllInterfaces.FirstOrDefault() is { } above)
        {
            return $"it inherits '{Names.People(above)}', and the numbers of its methods follow from one list: declare all of them here";
        }

        if (_type.DeclaringSyntaxReferences.Count(r => r.GetSyntax() is TypeDeclarationSyntax { Members.Count: > 0 }) > 1)
        {
            return "its methods stand in several parts of it, so that their numbers depend on the order of files: declare them in one part";
        }

        string? taken = new[] { ShortName + "Client", ShortName + "Routing", ShortName + "Packets" }
            .FirstOrDefault(name => !_type.ContainingNamespace.GetTypeMembers(name).IsEmpty);
        return taken is null ? null : $"there is a type '{taken}' already, and the generator writes one of that name: rename yours";
    }

    private CallModel? MakeCall(IMethodSymbol method, int id)
    {
        int before = _messages.Count;
        if (method.Name is "Timeout" or "Lane")
        {
            Refuse(method, "its client has a property of that name: rename it");
        }

        if (method.IsGenericMethod)
        {
            Refuse(method, "it is generic, and a call has one shape");
        }

        (CallKind Kind, ITypeSymbol? Result)? returned = Returned(method.ReturnType);
        if (returned is null && method.ReturnType.TypeKind != TypeKind.Error)
        {
            Refuse(method, $"it returns {Names.People(method.ReturnType)}: let it return Task, a Task of a value, or IAsyncEnumerable");
        }

        FieldModel? result = returned?.Result is { } type ? Field("result", "Value", type, ReturnPlace(method), null) : null;
        var parameters = new List<ParameterModel>();
        ParameterModel? token = null;
        foreach (IParameterSymbol parameter in method.Parameters)
        {
            string name = Names.Code(parameter.Name);
            if (parameter.RefKind != RefKind.None)
            {
                Refuse(method, $"'{parameter.Name}' is passed by reference: pass it by value, and return what comes back");
            }
            else if (parameter.Type.ToDisplayString() == Token)
            {
                token = new ParameterModel(name, $"global::{Token}", parameter.HasExplicitDefaultValue ? " = default" : string.Empty, null);
                if (parameter.Ordinal < method.Parameters.Length - 1)
                {
                    Refuse(method, $"the CancellationToken '{parameter.Name}' stands before another parameter: put it last");
                }
            }
            else if (Field(parameter.Name, $"Arg{parameter.Ordinal}", parameter.Type, PlaceOf(parameter), parameter) is { } field)
            {
                string byDefault = parameter.HasExplicitDefaultValue ? $" = {field.Default ?? "default"}" : string.Empty;
                parameters.Add(new ParameterModel(name, Declared(parameter.Type), byDefault, field));
            }
        }

        return _messages.Count > before || returned is null ? null : new CallModel(
            id,
            Names.Code(method.Name),
            $"{_type.Name}.{method.Name}",
            returned.Value.Kind,
            Declared(method.ReturnType),
            result,
            new EquatableArray<ParameterModel>([.. parameters]),
            token);
    }

    private static (CallKind Kind, ITypeSymbol? Result)? Returned(ITypeSymbol type) => type.OriginalDefinition.ToDisplayString() switch
    {
        "System.Threading.Tasks.Task" => (CallKind.Nothing, null),
        "System.Threading.Tasks.Task<TResult>" => (CallKind.Value, ((INamedTypeSymbol)type).TypeArguments[0]),
        "System.Collections.Generic.IAsyncEnumerable<T>" => (CallKind.Stream, ((INamedTypeSymbol)type).TypeArguments[0]),
        _ => null,
    };

    private FieldModel? Field(string name, string code, ITypeSymbol type, Location? place, IParameterSymbol? parameter)
    {
        if (TypeClassifier.Classify(type, out string why) is not { } model)
        {
            if (why.Length > 0)
            {
                Say(place, Rules.BadType, name, Names.People(type), why);
            }

            return null;
        }

        string? byDefault = parameter is null ? null : Literals.DefaultOf(parameter, model);
        return new FieldModel(name, code, model, IsSet: false, byDefault, HasInitializer: false, IsRequired: false);
    }

    /// <summary>A type as a declaration that must match the interface's writes it.</summary>
    private static string Declared(ITypeSymbol type) => Names.Annotated(type)
        + (type.IsReferenceType && type.NullableAnnotation == NullableAnnotation.Annotated ? "?" : string.Empty);

    private static Location? PlaceOf(IParameterSymbol parameter) =>
        (parameter.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() as ParameterSyntax)?.Type?.GetLocation()
        ?? parameter.Locations.FirstOrDefault();

    private static Location? ReturnPlace(IMethodSymbol method) =>
        (method.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() as MethodDeclarationSyntax)?.ReturnType.GetLocation();

    private void Refuse(IMethodSymbol method, string why) =>
        Say(method.Locations.FirstOrDefault(), Rules.BadCall, method.Name, TypeName, why);

    private void Say(Location? place, DiagnosticDescriptor rule, params string[] arguments) =>
        _messages.Add(DiagnosticInfo.At(place, rule, arguments));
}
