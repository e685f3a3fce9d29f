// Command sbom writes the software bill of materials of a Go program, in the
// JSON format of CycloneDX: the modules recorded in the program, with their
// versions and checksums, and the Go release.
//
// The same program results in exactly the same bill.
package main

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
)

func main() {
	version := flag.String("version", "", "version of the program; default what the program says")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: sbom [-version VERSION] PROGRAM DOCUMENT")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), *version); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(program, document, version string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read the modules of a program: %w", err)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	text, err := encode(bill(info, content, version))
	if err != nil {
		return fmt.Errorf("encode the bill: %w", err)
	}
	return os.WriteFile(document, text, 0o644)
}
