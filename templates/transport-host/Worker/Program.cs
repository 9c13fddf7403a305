using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Transport.Hosting;
using TransportApp.Worker;

var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { ContentRootPath = AppContext.BaseDirectory });
builder.Logging.ClearProviders().AddTransport(); // what is logged here appears at the main node
builder.Services.AddTransportWorker();
builder.Services.AddHostedService<Compile>();
await builder.Build().RunAsync();
