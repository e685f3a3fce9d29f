// Command kubetest serves a Kubernetes API for tests and for kuscia-sandbox on loopback,
// with Kuscia's and Kruise's controllers simulated. It writes a kubeconfig, prints the line
// "ready", ends when its standard input ends or it is interrupted, and then deletes the
// kubeconfig.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "kubetest:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("kubetest", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "kubeconfig", "`file` to write")
	domains := flags.String("domains", "alice,bob", "comma separated `ids` of the domains that exist")
	factor := flags.Float64("time-factor", 1, "what all durations are multiplied with")
	start := flags.Duration("start", 0, "how long a pod takes to start; default: one second times the factor")
	gates := map[string]bool{}
	flags.Func("feature-gates", "comma separated `name=bool` of Kruise's manager, as far as they differ from its manifests", func(text string) error {
		for one := range strings.SplitSeq(text, ",") {
			name, on, _ := strings.Cut(one, "=")
			value, err := strconv.ParseBool(on)
			if err != nil {
				return fmt.Errorf("%q is not name=true or name=false", one)
			}
			gates[name] = value
		}
		return nil
	})
	version := flags.String("kuscia-version", "", "`version` of Kuscia; default: the newest")
	verbose := flags.Bool("v", false, "show the log of the API server")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !*verbose {
		klog.SetLogger(logr.Discard())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // the parent process has exited
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	server, err := kubetest.Start(ctx, kubetest.Options{
		TimeFactor: *factor, Start: *start, Domains: strings.FieldsFunc(*domains, func(r rune) bool { return r == ',' }), FeatureGates: gates,
		Version: versions.Parse(*version),
	})
	if err != nil {
		return err
	}
	return errors.Join(serve(ctx, server, *kubeconfig, out), server.Close())
}

func serve(ctx context.Context, server *kubetest.Server, kubeconfig string, out io.Writer) error {
	text, err := server.Kubeconfig()
	if err != nil {
		return err
	}
	if err := os.WriteFile(kubeconfig, text, 0o600); err != nil {
		return err
	}
	defer func() { _ = os.Remove(kubeconfig) }()
	if _, err := fmt.Fprintln(out, "ready"); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-server.Failed():
		return err
	}
}
