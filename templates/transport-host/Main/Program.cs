using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Transport.Hosting;
using TransportApp.Main;
using TransportApp.Packets;

var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddTransportMainNode();
builder.Services.AddPacketHandler<Compiled, CompiledHandler>();
builder.Services.AddHostedService<Build>();
await builder.Build().RunAsync();
