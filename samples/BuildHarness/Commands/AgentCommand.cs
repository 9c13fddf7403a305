using System;
using System.Threading.Tasks;
using BuildHarness.Display;
using BuildHarness.Farm;
using BuildHarness.Packets;
using BuildHarness.Worker;
using NATS.Client.Core;
using Transport;
using Transport.Nats;
using Transport.Terminal;

namespace BuildHarness.Commands;

/// <summary><c>agent</c>: builds projects for the homes of other machines, until it is asked to end.</summary>
internal sealed class AgentCommand(AgentCommandOptions options, Interrupt interrupt, IDisplay display)
{
    /// <returns>The exit code.</returns>
    /// <exception cref="HarnessException">It cannot do its work.</exception>
    public async Task<int> RunAsync()
    {
        var site = new AgentSite(AgentSite.NameOf(options.Name), options.Workers, SdkMSBuild.Version, Say);
        NatsConnection connection = options.Farm.Connect();
        await using (connection.ConfigureAwait(false))
        {
            try
            {
                await options.Farm.ConnectAsync(connection, interrupt.Token).ConfigureAwait(false);
                AgentDesk desk = await AgentDesk.OpenAsync(site, connection).ConfigureAwait(false);
                await using (desk.ConfigureAwait(false))
                {
                    interrupt.AtOnce = desk.KillAll;
                    await WorkAsync(site, desk, connection).ConfigureAwait(false);
                }
            }
            catch (OperationCanceledException) when (interrupt.ExitCode is not null)
            {
                // Asked to end.
            }
        }

        return interrupt.ExitCode ?? ExitCodes.HarnessFault;
    }

    private async Task WorkAsync(AgentSite site, AgentDesk desk, NatsConnection connection)
    {
        PacketRouter handlers = new PacketRouter().OnRequest<FarmLoan, FarmLoanEnd>(desk.LendAsync);
        WorkAgent agent = WorkAgent.Start(connection, handlers, new AgentOptions
        {
            Stream = FarmSettings.Work(), Pool = FarmSettings.Pool, Name = site.Name, Slots = site.Workers, Report = Say,
        });
        await using (agent.ConfigureAwait(false))
        {
            display.Line(TerminalText.Line(
                $"agent {site.Name}: {Counted.Of(site.Workers, "worker")}, .NET SDK {site.Sdk}, lends them to builds at "
                + options.Farm.Place));
            try
            {
                await agent.Completion.WaitAsync(interrupt.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                // Asked to end: what is in work goes to another agent.
            }
            catch (FleetException e)
            {
                throw new HarnessException(e.Message);
            }
        }
    }

    private void Say(string line) => display.Line(TerminalText.Escape(line));
}
