// Command terraform-provider-kuscia is the Terraform provider for Kuscia. The
// Terraform CLI starts it; users do not run it themselves.
package main

import (
	"flag"
	"log"
	"os"
	gc "runtime/debug"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/parentprocess"
)

// address is the provider's name in the registries.
const address = "registry.terraform.io/terraform-kuscia/kuscia"

// garbagePercent is the growth of the heap before a garbage collection. The
// live heap is a few MiB, so three times as much is little memory, and it saves
// a seventh of the CPU time of a plan.
const garbagePercent = 300

// memoryLimit is how large the process may become before garbage is collected more often. Each
// of ten parallel requests of a plan may take up to 200 MiB, most of it garbage.
const memoryLimit = 1 << 30

// The release build sets both with -ldflags "-X main.version=... -X main.commit=...".
var (
	version = "dev"
	commit  = ""
)

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger and print how the Terraform CLI attaches to this process")
	flag.Parse()

	if os.Getenv("GOMEMLIMIT") == "" {
		gc.SetMemoryLimit(memoryLimit)
	}
	if os.Getenv("GOGC") == "" {
		gc.SetGCPercent(garbagePercent)
	}

	var options []tf6server.ServeOpt
	// In debug mode the logs are printed to the terminal, regardless of TF_LOG.
	quiet := !*debug && !fastpath.LogsEnabled(os.Environ())
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	if quiet {
		if err := fastpath.SilenceLogs("kuscia"); err != nil {
			log.Fatal(err)
		}
	}

	build := provider.Build{Version: version, Commit: commit}
	if !*debug {
		parentprocess.Watch()
	}
	if err := tf6server.Serve(address, provider.NewServer(build, quiet), options...); err != nil {
		log.Fatal(err)
	}
}
