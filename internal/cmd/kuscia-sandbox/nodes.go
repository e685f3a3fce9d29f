package main

import (
	"context"
	"fmt"
	"path/filepath"
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
// lines.
func providerBlock(box *sandbox.Sandbox, alias, protocol string, further []string) string {
	var lines []string
	if alias != "" {
		lines = append(lines, fmt.Sprintf("alias     = %q", alias))
	}
	lines = append(lines, fmt.Sprintf("endpoint  = %q", box.Endpoint()))
	if protocol != sandbox.ProtocolNOTLS {
		lines = append(lines, fmt.Sprintf("certs_dir = %q", box.CertsDir()))
	}
	lines = append(lines, further...)
	return fmt.Sprintf("provider \"kuscia\" {\n  %s\n}\n", strings.Join(lines, "\n  "))
}
