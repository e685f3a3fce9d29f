// Command installcli prints the path of the Terraform or OpenTofu CLI for the
// project's make targets. If there is none, it first builds OpenTofu.
//
// With -opentofu it always uses the OpenTofu in .bin. With -export it prints
// shell commands that set the environment of the acceptance tests for that CLI,
// which they start with a script in .bin.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
)

func main() {
	export := flag.Bool("export", false, "print shell commands that set the environment of the acceptance tests")
	openTofu := flag.Bool("opentofu", false, "use the built OpenTofu even where there is another CLI")
	binDir := flag.String("bin", ".bin", "folder for a built OpenTofu")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	finder := cli.NewFinder(*binDir, os.Stderr)
	find := finder.Find
	if *openTofu {
		find = finder.OpenTofu
	}
	found, err := find(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "installcli:", err)
		os.Exit(1)
	}
	if !*export {
		fmt.Println(found.Path)
		return
	}
	launched, err := found.Launched(ctx, *binDir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "installcli:", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "The acceptance tests use %s.\n", found)
	for _, variable := range launched.TestEnv() {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Printf("export %s=%s\n", name, cli.ShellQuote(value))
	}
}
