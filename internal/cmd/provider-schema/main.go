// Command provider-schema prints the complete schemas of the provider of this
// checkout in the format of `terraform providers schema -json`, without a CLI.
// The doc generator reads it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/schemajson"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "provider-schema:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	server := provider.NewServer(provider.Build{Version: "dev"}, true)()
	schemas, err := schemajson.Read(ctx, server, "kuscia")
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(schemas)
}
