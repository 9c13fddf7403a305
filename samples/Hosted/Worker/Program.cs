using Hosted.Worker;
using Transport.Hosting;

// Its own folder, not that of the main node, has its appsettings.json.
var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory });
builder.Logging.ClearProviders().AddTransport();   // what is logged here appears at the main node
builder.Services.AddTransportWorker();
builder.Services.AddHostedService<Compile>();
await builder.Build().RunAsync();
