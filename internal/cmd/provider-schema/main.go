// Command provider-schema prints the complete schemas of the provider of this
// checkout in the format of `terraform providers schema -json`, without a CLI,
// or, with -effects, what changes of each attribute do, or, with -versions, the
// texts about versions of Kuscia. The doc generator reads all.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/schemajson"
)

func main() {
	effects := flag.Bool("effects", false, "print what changes do instead of the schemas")
	texts := flag.Bool("versions", false, "print the texts about versions of Kuscia instead of the schemas")
	flag.Parse()
	if err := run(context.Background(), *effects, *texts, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "provider-schema:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, effects, texts bool, out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	switch {
	case effects:
		return encoder.Encode(provider.Effects(ctx))
	case texts:
		return encoder.Encode(versions.Pages())
	}
	server := provider.NewServer(provider.Build{Version: "dev"}, true)()
	schemas, err := schemajson.Read(ctx, server, "kuscia")
	if err != nil {
		return err
	}
	return encoder.Encode(schemas)
}
