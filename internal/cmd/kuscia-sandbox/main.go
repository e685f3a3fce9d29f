// Command kuscia-sandbox serves a stateful KusciaAPI on loopback, with --kubernetes also the
// Kubernetes API of its cluster, and prints the provider configuration for it.
//
// Faults can be injected while it runs, for example two lost responses to
// creates:
//
//	curl http://127.0.0.1:8082/sandbox/faults \
//	  -d '{"kind": "reset", "path": "serving/create", "after_effect": true, "times": 2}'
//
// or controllers that do nothing for 30 s after the next update:
//
//	curl http://127.0.0.1:8082/sandbox/faults \
//	  -d '{"kind": "lag", "path": "serving/update", "delay": "30s"}'
//
// With TLS add --cacert ca.crt from the certificates folder, with MTLS also
// --cert kusciaapi-server.crt and --key kusciaapi-server.key. The kinds of
// faults are in internal/sandbox/faults/fault.go, the endpoints in admin.go.
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
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
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
	desired, err := parse(args, problems)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	servers, err := start(ctx, desired)
	if err == nil {
		if err = announce(out, servers, desired.options.Protocol); err != nil {
			err = fmt.Errorf("printing the configuration: %w", err)
		}
	}
	if err == nil {
		select {
		case <-ctx.Done():
		case <-servers.ended(): // interrupted with this program, or an error, which close returns
		}
	}
	return errors.Join(err, servers.close())
}

// arguments are the parsed command line.
type arguments struct {
	options sandbox.Options
	nodes   []node
	edge    *ief.Options // nil for none
	// kubernetes is nil for none.
	kubernetes *kubernetes
}

func parse(args []string, problems io.Writer) (arguments, error) {
	var desired arguments
	options := &desired.options
	var edge ief.Options
	var timing, domains, offline string
	var start, lag time.Duration
	var withCluster bool
	var cluster kubernetes
	flags := flag.NewFlagSet("kuscia-sandbox", flag.ContinueOnError)
	flags.SetOutput(problems)
	flags.StringVar(&options.Listen, "listen", "127.0.0.1:8082", "loopback `address` to listen on; port 0 picks a free one")
	flags.StringVar(&options.Protocol, "protocol", sandbox.ProtocolMTLS, "NOTLS, TLS or MTLS, which is Kuscia's default")
	flags.StringVar(&options.CertsDir, "certs-dir", "", "`folder` for token and certificates, those of a node in DOMAIN below it; default a temporary one")
	flags.StringVar(&options.Token, "token", "", "API token; default a random one, or the one in the folder")
	flags.StringVar(&options.Version, "version", sandbox.DefaultVersion, "Kuscia `version` to simulate, "+versions.Servings.Needs())
	flags.StringVar(&options.StateFile, "state-file", "", "`file` that keeps the objects over restarts")
	flags.StringVar(&options.Autonomy, "autonomy", "", "simulate a P2P node of this `domain`")
	flags.Func("node", "also simulate a lite node, `domain@address`; can be repeated. Without its domain it waits for a deploy token: POST /sandbox/join {\"token\": \"...\"}", func(text string) error {
		one, err := parseNode(text)
		desired.nodes = append(desired.nodes, one)
		return err
	})
	flags.StringVar(&domains, "domains", "alice,bob", "comma separated `ids` of the domains that exist")
	flags.StringVar(&timing, "timing", "demo", "how long rollouts take: quick, demo or real")
	flags.DurationVar(&start, "start", 0, "how long a pod takes to start; default: that of the timing")
	flags.DurationVar(&lag, "lag", 0, "how long after a create or update of a serving the controllers do nothing, as on a busy control plane")
	// A sandbox can run for days.
	flags.IntVar(&options.RecordLimit, "record", 1000, "how many of the last `requests` the admin endpoint shows")
	flags.StringVar(&edge.Listen, "ief", "", "loopback `address` on which to simulate Huawei IEF as well, for edge deployments; port 0 picks a free one")
	flags.StringVar(&offline, "ief-offline", "", "comma separated `ids` of edge nodes that are offline")
	flags.BoolVar(&withCluster, "kubernetes", false, "also serve the Kubernetes API of the cluster, with the controllers of Kuscia, Kubernetes and OpenKruise Rollouts, for deployments and Rollouts")
	flags.StringVar(&cluster.program, "kubernetes-program", "", "`file` of the program with this API; default: kubetest beside this program")
	if err := flags.Parse(args); err != nil {
		return desired, fmt.Errorf("flags: %w", err)
	}
	if flags.NArg() > 0 {
		return desired, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	options.Protocol = strings.ToUpper(options.Protocol)
	options.Domains = strings.FieldsFunc(domains, func(r rune) bool { return r == ',' })
	var err error
	if options.Timing, err = sandbox.TimingByName(timing); err != nil {
		return desired, err
	}
	edge.Timing = ief.DemoTiming()
	if timing == "quick" {
		edge.Timing = ief.QuickTiming()
	}
	if start > 0 {
		options.Timing.Start, edge.Timing.Start = start, start
	}
	options.Timing.Lag = max(0, lag)
	if options.CertsDir != "" {
		if options.CertsDir, err = filepath.Abs(options.CertsDir); err != nil {
			return desired, fmt.Errorf("certs-dir: %w", err)
		}
	}
	if edge.Listen != "" {
		edge.OfflineNodes = strings.Split(offline, ",")
		desired.edge = &edge
	}
	if withCluster {
		if err := checkKubernetes(*options); err != nil {
			return desired, err
		}
		cluster.factor, cluster.start, cluster.dir, cluster.version = 1, options.Timing.Start, options.CertsDir, options.Version
		if timing == "quick" {
			cluster.factor = 0.05
		}
		desired.kubernetes = &cluster
	} else if cluster.program != "" {
		return desired, errors.New("--kubernetes-program has no effect without --kubernetes")
	}
	return desired, nil
}

// announce prints the provider blocks for the servers.
func announce(out io.Writer, s servers, protocol string) error {
	blocks := []string{providerBlock(s.master, "", protocol, slices.Concat(s.cluster.lines(), edgeLines(s.edge)))}
	for _, node := range s.nodes {
		blocks = append(blocks, providerBlock(node, node.Lite(), protocol, nil))
	}
	further := ""
	for _, node := range s.nodes {
		if s.master.NodeWaits(node.Lite()) {
			further += fmt.Sprintf("The node of %q waits for its domain and a deploy token.\n", node.Lite())
		}
	}
	if s.cluster != nil {
		further += fmt.Sprintf("Its cluster for kubectl: export KUBECONFIG=%s\n", s.cluster.kubeconfig)
	}
	_, err := fmt.Fprintf(out, "A Kuscia sandbox is listening (%s). Use it with:\n\n%s\n%sStop it with Ctrl-C.\n", protocol, strings.Join(blocks, "\n"), further)
	return err
}
