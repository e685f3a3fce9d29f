// Command terraform-provider-kuscia is the Terraform provider for Kuscia. The
// Terraform CLI starts it; users do not run it themselves.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
)

// address is the provider's name in the registries.
const address = "registry.terraform.io/terraform-kuscia/kuscia"

// The release build sets both with -ldflags "-X main.version=... -X main.commit=...".
var (
	version = "dev"
	commit  = ""
)

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger and print how the Terraform CLI attaches to this process")
	flag.Parse()

	options := providerserver.ServeOpts{
		Address:         address,
		Debug:           *debug,
		ProtocolVersion: 6,
	}

	build := provider.Build{Version: version, Commit: commit}
	if err := providerserver.Serve(context.Background(), provider.New(build), options); err != nil {
		log.Fatal(err)
	}
}
