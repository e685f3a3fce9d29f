package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
)

// servers are the servers of the program.
type servers struct {
	master *sandbox.Sandbox
	nodes  []*sandbox.Sandbox
	edge   *ief.Server // nil for none
	// cluster is the Kubernetes API, nil for none.
	cluster *cluster
}

// start starts the servers. On an error it also returns those that are running. They
// outlive the context, which ends the start.
func start(ctx context.Context, desired arguments) (servers, error) {
	var s servers
	var err error
	if desired.kubernetes != nil {
		if s.cluster, err = desired.kubernetes.run(ctx); err != nil {
			return s, err
		}
		desired.options.API = s.cluster.Objects()
	}
	if s.master, err = sandbox.Start(context.Background(), desired.options); err != nil {
		return s, err
	}
	if s.nodes, err = startNodes(s.master, desired.options, desired.nodes); err != nil || desired.edge == nil {
		return s, err
	}
	// A Kuscia node that starts on an edge node joins with the token that it gets. Other
	// containers have none.
	desired.edge.Started = func(environment map[string]string) { _, _ = s.master.JoinWithToken(environment["DEPLOY_TOKEN"]) }
	s.edge, err = ief.Start(context.Background(), *desired.edge)
	return s, err
}

func (s servers) close() error {
	var err error
	if s.edge != nil {
		err = s.edge.Close()
	}
	for _, node := range s.nodes {
		err = errors.Join(err, node.Close())
	}
	if s.master != nil {
		err = errors.Join(err, s.master.Close())
	}
	if s.cluster != nil {
		err = errors.Join(err, s.cluster.Close())
	}
	return err
}

// ended is closed when a server has ended by itself.
func (s servers) ended() <-chan struct{} {
	if s.cluster == nil {
		return nil
	}
	return s.cluster.Ended()
}

// edgeLines are the lines of a provider block for the simulated IEF.
func edgeLines(edge *ief.Server) []string {
	if edge == nil {
		return nil
	}
	o := edge.Options()
	return []string{
		"", "ief = {", fmt.Sprintf("  endpoint   = %q", edge.Endpoint()), fmt.Sprintf("  project_id = %q", o.ProjectID),
		fmt.Sprintf("  access_key = %q", o.AccessKey), fmt.Sprintf("  secret_key = %q", o.SecretKey), "}",
	}
}
