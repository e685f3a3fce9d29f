package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/apiserver"
)

// kubetest is the name of the program with the API server, which is not part of this one:
// it is ten times as large.
const kubetest = "kubetest"

// kubernetes is the desired Kubernetes API.
type kubernetes struct {
	// program is its program, "" for the one beside this one.
	program string
	// factor is that of all durations of Kruise, start the time until a pod is ready.
	factor float64
	start  time.Duration
	// version is that of Kuscia.
	version string
	// dir is the folder of the kubeconfig, "" for a temporary one.
	dir string
}

// cluster is a running Kubernetes API.
type cluster struct {
	*apiserver.Server
	kubeconfig string
	// temporary is a folder to remove, "" for none.
	temporary string
}

// checkKubernetes refuses options that only the simulation in memory has.
func checkKubernetes(options sandbox.Options) error {
	for name, isSet := range map[string]bool{
		"autonomy": options.Autonomy != "", "state-file": options.StateFile != "", "lag": options.Timing.Lag > 0,
	} {
		if isSet {
			return fmt.Errorf("--%s cannot be combined with --kubernetes: the API server has the objects and runs their controllers, without partners, files and lags", name)
		}
	}
	return nil
}

// find returns the path of the program.
func (k kubernetes) find() (string, error) {
	path, named := k.program, k.program != ""
	if !named {
		self, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("looking for %s: %w", kubetest, err)
		}
		path = filepath.Join(filepath.Dir(self), kubetest+filepath.Ext(self))
	}
	_, err := os.Stat(path)
	switch {
	case err == nil:
		return path, nil
	case named || !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("kubernetes-program: %w", err)
	}
	return "", fmt.Errorf("--kubernetes needs the program %s, an API server with the controllers, and %s does not exist. "+
		"In the provider's repository make sandbox builds and starts both; make .bin/%[1]s builds only that program, which --kubernetes-program then names", kubetest, path)
}

// run starts the program.
func (k kubernetes) run(ctx context.Context) (*cluster, error) {
	program, err := k.find()
	if err != nil {
		return nil, err
	}
	c := &cluster{}
	dir := k.dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "kuscia-sandbox-"); err != nil {
			return nil, fmt.Errorf("making a folder for the kubeconfig: %w", err)
		}
		c.temporary = dir
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a folder for the kubeconfig: %w", err)
	}
	c.kubeconfig = filepath.Join(dir, "kubeconfig")
	c.Server, err = apiserver.Start(ctx, program, c.kubeconfig,
		"-domains=", "-time-factor", strconv.FormatFloat(k.factor, 'g', -1, 64), "-start", k.start.String(), "-kuscia-version", k.version)
	if err != nil {
		return nil, errors.Join(err, c.removeTemporary())
	}
	return c, nil
}

func (c *cluster) removeTemporary() error {
	if c.temporary == "" {
		return nil
	}
	return os.RemoveAll(c.temporary)
}

// Close ends the program.
func (c *cluster) Close() error { return errors.Join(c.Server.Close(), c.removeTemporary()) }

// lines are those of a provider block.
func (c *cluster) lines() []string {
	if c == nil {
		return nil
	}
	return []string{"", fmt.Sprintf("kubernetes = { config_path = %q }", c.kubeconfig)}
}
