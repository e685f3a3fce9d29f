// Command kuscia-sandbox serves a stateful KusciaAPI on loopback and prints
// the provider configuration that uses it.
//
// Faults can be injected while it runs, here two lost answers to creates:
//
//	curl http://127.0.0.1:8082/sandbox/faults \
//	  -d '{"kind": "reset", "path": "serving/create", "after_effect": true, "times": 2}'
//
// With TLS give curl --cacert ca.crt from the certificates folder, with MTLS
// --cert kusciaapi-server.crt and --key kusciaapi-server.key as well. The
// kinds of faults are in internal/sandbox/fault.go, the endpoints in admin.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "kuscia-sandbox:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends.
func run(ctx context.Context, args []string, out, problems io.Writer) error {
	options, edge, err := parse(args, problems)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	box, err := sandbox.Start(context.Background(), options)
	if err != nil {
		return err
	}
	fabric, err := startEdge(edge)
	if err != nil {
		return errors.Join(err, box.Close())
	}
	if err := announce(out, box, options.Protocol, fabric); err != nil {
		return fmt.Errorf("printing the configuration: %w", err)
	}
	<-ctx.Done()
	if fabric != nil {
		return errors.Join(fabric.Close(), box.Close())
	}
	return box.Close()
}

// startEdge starts the server that stands in for IEF, if it is asked for.
func startEdge(options *ief.Options) (*ief.Server, error) {
	if options == nil {
		return nil, nil
	}
	return ief.Start(context.Background(), *options)
}

func parse(args []string, problems io.Writer) (sandbox.Options, *ief.Options, error) {
	var options sandbox.Options
	var edge ief.Options
	var edgeListen, offline string
	var timing, domains string
	var start time.Duration
	flags := flag.NewFlagSet("kuscia-sandbox", flag.ContinueOnError)
	flags.SetOutput(problems)
	flags.StringVar(&options.Listen, "listen", "127.0.0.1:8082", "loopback `address` to listen on; port 0 picks a free one")
	flags.StringVar(&options.Protocol, "protocol", sandbox.ProtocolMTLS, "NOTLS, TLS or MTLS, which is Kuscia's default")
	flags.StringVar(&options.CertsDir, "certs-dir", "", "`folder` for token and certificates; default a temporary one")
	flags.StringVar(&options.Token, "token", "", "API token; default a random one, or the one in the folder")
	flags.StringVar(&options.Version, "version", sandbox.DefaultVersion, "Kuscia `version` to play, from v0.4 on")
	flags.StringVar(&options.StateFile, "state-file", "", "`file` that keeps the objects over restarts")
	flags.StringVar(&options.Autonomy, "autonomy", "", "play a P2P node of this `domain`")
	flags.StringVar(&domains, "domains", "alice,bob", "comma separated `ids` of the domains that exist")
	flags.StringVar(&timing, "timing", "demo", "how long rollouts take: quick, demo or real")
	flags.DurationVar(&start, "start", 0, "how long a pod takes to start; default as the timing says")
	// A sandbox can run for days.
	flags.IntVar(&options.RecordLimit, "record", 1000, "how many of the last `requests` the admin endpoint shows")
	flags.StringVar(&edgeListen, "ief", "", "loopback `address` on which to stand in for Huawei IEF as well, for edge deployments; port 0 picks a free one")
	flags.StringVar(&offline, "ief-offline", "", "comma separated `ids` of edge nodes that are offline")
	if err := flags.Parse(args); err != nil {
		return options, nil, fmt.Errorf("flags: %w", err)
	}
	if flags.NArg() > 0 {
		return options, nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	options.Protocol = strings.ToUpper(options.Protocol)
	options.Domains = strings.Split(domains, ",")
	var err error
	if options.Timing, err = sandbox.TimingByName(timing); err != nil {
		return options, nil, err
	}
	edge = ief.Options{Listen: edgeListen, OfflineNodes: strings.Split(offline, ","), Timing: ief.DemoTiming()}
	if timing == "quick" {
		edge.Timing = ief.QuickTiming()
	}
	if start > 0 {
		options.Timing.Start, edge.Timing.Start = start, start
	}
	if options.CertsDir != "" {
		if options.CertsDir, err = filepath.Abs(options.CertsDir); err != nil {
			return options, nil, fmt.Errorf("certs-dir: %w", err)
		}
	}
	if edgeListen == "" {
		return options, nil, nil
	}
	return options, &edge, nil
}

// announce prints the lines of a provider block that use the sandbox.
func announce(out io.Writer, box *sandbox.Sandbox, protocol string, fabric *ief.Server) error {
	lines := []string{fmt.Sprintf("endpoint  = %q", box.Endpoint())}
	if protocol != sandbox.ProtocolNOTLS {
		lines = append(lines, fmt.Sprintf("certs_dir = %q", box.CertsDir()))
	}
	if fabric != nil {
		o := fabric.Options()
		lines = append(lines, "", "ief = {", fmt.Sprintf("  endpoint   = %q", fabric.Endpoint()), fmt.Sprintf("  project_id = %q", o.ProjectID),
			fmt.Sprintf("  access_key = %q", o.AccessKey), fmt.Sprintf("  secret_key = %q", o.SecretKey), "}")
	}
	_, err := fmt.Fprintf(out, "A Kuscia sandbox is listening (%s). Use it with:\n\nprovider \"kuscia\" {\n  %s\n}\n\nStop it with Ctrl-C.\n",
		protocol, strings.Join(lines, "\n  "))
	return err
}
