using Hosted.Main;
using Hosted.Worker;
using Transport.Hosting;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddTransportMainNode();
builder.Services.AddPacketHandler<Compiled, CompiledHandler>();
builder.Services.AddHostedService<Build>();
await builder.Build().RunAsync();
