using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>A build whose events come from elsewhere: what a logger of MSBuild subscribes to. One thread.</summary>
internal sealed class ReplaySource : IEventSource4
{
    public event BuildErrorEventHandler? ErrorRaised;

    public event BuildWarningEventHandler? WarningRaised;

#pragma warning disable CS0067 // MSBuild's binary logger listens to AnyEventRaised alone
    public event BuildMessageEventHandler? MessageRaised;

    public event BuildStartedEventHandler? BuildStarted;

    public event BuildFinishedEventHandler? BuildFinished;

    public event ProjectStartedEventHandler? ProjectStarted;

    public event ProjectFinishedEventHandler? ProjectFinished;

    public event TargetStartedEventHandler? TargetStarted;

    public event TargetFinishedEventHandler? TargetFinished;

    public event TaskStartedEventHandler? TaskStarted;

    public event TaskFinishedEventHandler? TaskFinished;

    public event CustomBuildEventHandler? CustomEventRaised;

    public event BuildStatusEventHandler? StatusEventRaised;

    public event TelemetryEventHandler? TelemetryLogged;
#pragma warning restore CS0067

    public event AnyEventHandler? AnyEventRaised;

    public void Raise(BuildEventArgs args)
    {
        AnyEventRaised?.Invoke(this, args);
        if (args is BuildWarningEventArgs warning)
        {
            WarningRaised?.Invoke(this, warning);
        }
        else if (args is BuildErrorEventArgs error)
        {
            ErrorRaised?.Invoke(this, error);
        }
    }

    public void IncludeEvaluationMetaprojects()
    {
    }

    public void IncludeEvaluationProfiles()
    {
    }

    public void IncludeTaskInputs()
    {
    }

    public void IncludeEvaluationPropertiesAndItems()
    {
    }
}
