package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// node is a simulated lite node of the master.
type node struct{ domain, address string }

func parseNode(text string) (node, error) {
	domain, address, found := strings.Cut(text, "@")
	if !found || domain == "" {
		return node{}, fmt.Errorf("%q is not of the form domain@address", text)
	}
	if len(validation.IsDNS1123Label(domain)) > 0 {
		return node{}, fmt.Errorf("%q is not the name of a domain", domain)
	}
	return node{domain: domain, address: address}, nil
}

// startNodes starts the nodes. On an error it also returns those that are
// running.
func startNodes(master *sandbox.Sandbox, options sandbox.Options, nodes []node) ([]*sandbox.Sandbox, error) {
	var boxes []*sandbox.Sandbox
	for _, one := range nodes {
		certs := ""
		if options.CertsDir != "" {
			certs = filepath.Join(options.CertsDir, one.domain)
		}
		box, err := sandbox.Start(context.Background(), sandbox.Options{
			Lite: one.domain, Master: master, Listen: one.address, Protocol: options.Protocol, RecordLimit: options.RecordLimit, CertsDir: certs,
		})
		if err != nil {
			return boxes, fmt.Errorf("node of %s: %w", one.domain, err)
		}
		boxes = append(boxes, box)
	}
	return boxes, nil
}

// providerBlock is the configuration of a provider for a sandbox, with further
// lines, as terraform fmt formats it.
func providerBlock(box *sandbox.Sandbox, alias, protocol string, further []string) string {
	names, values := []string{"endpoint"}, []string{box.Endpoint()}
	if alias != "" {
		names, values = []string{"alias", "endpoint"}, []string{alias, box.Endpoint()}
	}
	if protocol != sandbox.ProtocolNOTLS {
		names, values = append(names, "certs_dir"), append(values, box.CertsDir())
	}
	width := len(slices.MaxFunc(names, func(a, b string) int { return len(a) - len(b) }))
	var lines []string
	for i, name := range names {
		lines = append(lines, fmt.Sprintf("%-*s = %q", width, name, values[i]))
	}
	block := "provider \"kuscia\" {\n"
	for _, line := range append(lines, further...) {
		if line != "" {
			line = "  " + line
		}
		block += line + "\n"
	}
	return block + "}\n"
}
