using Hosted.Worker;
using Transport.Hosting;

var builder = Host.CreateApplicationBuilder(args);
builder.Logging.ClearProviders().AddTransport();   // what is logged here appears at the main node
builder.Services.AddTransportWorker();
builder.Services.AddHostedService<Compile>();
await builder.Build().RunAsync();
