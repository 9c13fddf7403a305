using Microsoft.CodeAnalysis;

namespace Transport.Generator.Model;

/// <summary>What the generator says if it cannot do what was asked: what is wrong, and what to do.</summary>
internal static class Rules
{
    public static readonly DiagnosticDescriptor NotPartial = Error(
        "TRANSPORT001", "A packet must be partial", "Make '{0}' partial: the generator adds its formatter to it");

    public static readonly DiagnosticDescriptor Generic = Error(
        "TRANSPORT002",
        "A packet cannot be generic",
        "'{0}' is generic or stands in a generic type: a packet is one type with one shape. Write a packet for each type argument that "
            + "you need.");

    public static readonly DiagnosticDescriptor BadId = Error(
        "TRANSPORT003",
        "The packet's number is not for callers",
        "{0} is no number for packet '{1}': allowed are 256 to 65535 without 259 to 261 (tables) and 272 to 276 (requests); "
            + "applications use 1024 and above");

    public static readonly DiagnosticDescriptor IdTaken = Error(
        "TRANSPORT004",
        "The packet's number is taken",
        "Packet '{0}' has number {1}, which '{2}' has already: give one of them another number");

    public static readonly DiagnosticDescriptor BadType = Error(
        "TRANSPORT005", "The type cannot travel", "'{0}' has type '{1}', which cannot travel: {2}");

    public static readonly DiagnosticDescriptor FieldTwice = Error(
        "TRANSPORT006", "A field's place is taken", "Place {0} of '{1}' is taken by '{2}': '{3}' needs one of its own, at the end");

    public static readonly DiagnosticDescriptor FieldGap = Error(
        "TRANSPORT007",
        "The places of the fields have a gap",
        "'{0}' has place {1}, but no field of '{2}' has place {3}: places go from 0 up without gaps, and a field that is no longer "
            + "needed stays (mark it Obsolete)");

    public static readonly DiagnosticDescriptor NoConstructor = Error(
        "TRANSPORT008",
        "The packet cannot be made from its fields",
        "'{0}' cannot be made from its fields: {1}. Give it a constructor without parameters, or one whose parameters have the names "
            + "and types of its properties.");

    public static readonly DiagnosticDescriptor FieldWithoutPlace = Error(
        "TRANSPORT009",
        "A field has no place while others have",
        "'{0}' has no place while other fields of '{1}' have: give it [PacketField(n)] or [PacketIgnore]");

    public static readonly DiagnosticDescriptor Scattered = Error(
        "TRANSPORT010",
        "The order of the fields is not defined",
        "The fields of '{0}' stand in several parts of it, so that their order depends on the order of files: give each "
            + "[PacketField(n)], or declare them in one part");

    public static readonly DiagnosticDescriptor Inherits = Error(
        "TRANSPORT011",
        "A packet cannot inherit fields",
        "'{0}' inherits the field '{1}' from '{2}': a change there would move its fields. Declare all fields in the packet itself{3}.");

    public static readonly DiagnosticDescriptor BadLane = Error(
        "TRANSPORT012", "The lane is not for packets of callers", "Lane {0} is not for packet '{1}': allowed are Urgent, Normal and Bulk");

    public static readonly DiagnosticDescriptor NameTaken = Error(
        "TRANSPORT013",
        "The name of a generated member is taken",
        "'{0}' has a member '{1}' already, and the generator writes one of that name: rename yours");

    public static readonly DiagnosticDescriptor HoldsItself = Error(
        "TRANSPORT014",
        "A packet holds itself",
        "'{0}' holds its own type by way of fields that may not be null, so that it has no end: make '{0}' nullable");

    public static readonly DiagnosticDescriptor BadLevel = Error(
        "TRANSPORT015",
        "LevelProperty names no such property",
        "'{0}' is no property of '{1}' that is an integer or an enum and may be used (no indexer, not Obsolete as an error), so it "
            + "cannot be the packet's LevelProperty");

    public static readonly DiagnosticDescriptor LibraryId = new(
        "TRANSPORT016",
        "The packet's number belongs to Transport's own packages",
        "{0} is for the packages of Transport: packet '{1}' of an application has a number from 1024 on",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor OldLanguage = Error(
        "TRANSPORT017",
        "The C# version is too old",
        "The formatter of '{0}' needs C# 9 or later: set LangVersion to latest in the project");

    public static readonly DiagnosticDescriptor BadKind = Error(
        "TRANSPORT018",
        "The type cannot be a packet",
        "'{0}' is {1}: a packet is a record, class or struct of which objects can be made and that other files can name");

    public static readonly DiagnosticDescriptor CannotSet = Error(
        "TRANSPORT019", "The field cannot be set", "'{0}' is marked [PacketField] but {1}");

    public static readonly DiagnosticDescriptor Lost = Error(
        "TRANSPORT020",
        "A value would be lost",
        "'{0}' is data of '{1}' that no reader can set, so it would not arrive: give it an init or set accessor, make it a parameter "
            + "of the constructor, or mark it [PacketIgnore] if it stays here");

    public static readonly DiagnosticDescriptor Empty = new(
        "TRANSPORT021",
        "Nothing of the packet travels",
        "Nothing of '{0}' travels: '{1}' is not public. Make public what is to travel or give it [PacketField(n)], and mark "
            + "[PacketIgnore] what stays here.",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor BadFormatter = Error(
        "TRANSPORT022", "The field's formatter does not fit", "'{0}' cannot have the formatter '{1}': {2}");

    public static readonly DiagnosticDescriptor BadUnion = Error(
        "TRANSPORT023",
        "The type cannot be a union",
        "'{0}' is {1}: a union is an abstract class, an abstract record or an interface that other files can name, and it is no packet");

    public static readonly DiagnosticDescriptor BadCaseNumber = Error(
        "TRANSPORT024",
        "The number of a case is negative",
        "'{0}' cannot have the number {1} in '{2}': the numbers of cases are 0 or more");

    public static readonly DiagnosticDescriptor CaseTwice = Error(
        "TRANSPORT025", "A case or its number stands twice", "'{0}' cannot have the number {1} in '{2}': {3}");

    public static readonly DiagnosticDescriptor BadCase = Error(
        "TRANSPORT026", "The type is no case of the union", "'{0}' cannot be a case of '{1}': {2}");

    public static readonly DiagnosticDescriptor BadService = Error(
        "TRANSPORT027", "The interface cannot be a service", "'{0}' cannot be a service: {1}");

    public static readonly DiagnosticDescriptor BadCall = Error(
        "TRANSPORT028", "The member cannot be called across a link", "'{0}' of '{1}' cannot be called across a link: {2}");

    public static readonly DiagnosticDescriptor Ignored = new(
        "TRANSPORT030",
        "The result of a send is ignored",
        "The result of '{0}' is ignored: with Full or Closed the packet is not sent. Look at the SendResult (SendAsync waits for "
            + "capacity, so it returns Queued or Closed), or {1}write '_ =' if the packet may be lost.",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor Blocks = new(
        "TRANSPORT031",
        "A handler blocks its link",
        "'{0}' blocks the thread that reads the link: no packet is handled until it returns. Make the handler async and await, or move the "
            + "work to a task of its own.",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor AwaitsAnswer = new(
        "TRANSPORT032",
        "A handler awaits a response",
        "No packet of this link is handled until the response arrives; if it arrives on the same link, it never does. Send the request "
            + "from a task of its own, or from a handler of OnRequest.",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor Theirs = new(
        "TRANSPORT033",
        "A packet is a type of MessagePack-CSharp too",
        "'{0}' travels by the formatter that Transport generates, which does not read its [Key]s: in the order of declaration, or of "
            + "[PacketField(n)]. For the bytes of MessagePack-CSharp take '{1}' from it and make its type with MessagePackPacket.Of "
            + "(package Transport.MessagePack).",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor NoPacket = new(
        "TRANSPORT034",
        "A type of MessagePack-CSharp is used as a packet",
        "'{0}' is [MessagePackObject] and no packet: make its type once, with MessagePackPacket.Of<{0}>(1024) of the package "
            + "Transport.MessagePack, and pass it to '{1}'; or mark it [Packet(1024)] and let the generator write its formatter",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor NotAwaited = new(
        "TRANSPORT035",
        "A handler's task is not awaited",
        "Nobody awaits the {0} of this handler: its packet counts as handled, and may be used, before it is done. Return "
            + "it as a Task; a handler of bytes as packet => SaveAsync(packet.Lease()).",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor Plain = new(
        "TRANSPORT036",
        "A type that is no packet is used as one",
        "'{0}' is not a packet: mark it [Packet(1024)], with a number of its own, and make it partial; or write a formatter, and pass the "
            + "PacketType<{0}> to '{1}'",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor Shared = new(
        "TRANSPORT037",
        "A handler changes what others change too",
        "Handlers of several links run at the same time, and those of requests always do, so '{0}' loses changes: use Interlocked or a lock",
        "Transport",
        DiagnosticSeverity.Info,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor Unsealed = new(
        "TRANSPORT038",
        "A packet is not sealed",
        "'{0}' is not sealed, and an object of a class derived from it arrives without that class's fields: seal it, or send it as a union, "
            + "an abstract base whose cases are declared with [PacketUnion]",
        "Transport",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor Failed = Error(
        "TRANSPORT099",
        "The generator failed",
        "The generator failed at '{0}', which is its fault, not yours: {1}. Please report it; until then write the formatter by hand "
            + "(IPacketFormatter).");

    /// <summary>Why a field with a place does not travel, and what to do.</summary>
    public static string WhyNot(ISymbol field, bool isIgnored) =>
        isIgnored ? "is marked [PacketIgnore] too: take one of the two from it"
        : field.IsStatic ? "belongs to the type, not to its objects: take [PacketField] from it"
        : "cannot be read and set by its name: give it a getter and a setter of its own (init will do), or make it a parameter of the "
            + "constructor";

    private static DiagnosticDescriptor Error(string id, string title, string message) =>
        new(id, title, message, "Transport", DiagnosticSeverity.Error, isEnabledByDefault: true);
}
