using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>The shapes of events that carry data of their sender's own. In a class of their own: one that names an interface that MSBuild
/// lacks (<see cref="IExtendedBuildEventArgs"/>, before 17.5) cannot be loaded.</summary>
internal static class ExtendedShapes
{
    public static EventShape Message() =>
        WithExtension(EventShapes.Message<ExtendedBuildMessageEventArgs>()).Build(BuildEventKind.ExtendedMessage);

    public static EventShape CriticalMessage() =>
        WithExtension(EventShapes.Message<ExtendedCriticalBuildMessageEventArgs>()).Build(BuildEventKind.ExtendedCriticalMessage);

    public static EventShape Warning() =>
        WithExtension(EventShapes.Warning<ExtendedBuildWarningEventArgs>()).Build(BuildEventKind.ExtendedWarning);

    public static EventShape Error() =>
        WithExtension(EventShapes.Error<ExtendedBuildErrorEventArgs>()).Build(BuildEventKind.ExtendedError);

    public static EventShape Custom() =>
        WithExtension(EventShapes.Shape<ExtendedCustomBuildEventArgs>()).Build(BuildEventKind.ExtendedCustom);

    private static EventShapeBuilder<T> WithExtension<T>(EventShapeBuilder<T> shape)
        where T : BuildEventArgs, IExtendedBuildEventArgs => shape
            .Text("ExtendedType", e => e.ExtendedType).Value("ExtendedMetadata", e => BuildEventMap.Of(e.ExtendedMetadata!))
                .Text("ExtendedData", e => e.ExtendedData);
}
