package domain

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Delays until the status of a node is visible, in steps of the timing.
const (
	nodeSeen   = 200  // a new node; 2 s in real time
	nodeSynced = 1000 // a change of its state; 10 s in real time
)

// nodeReady is the status of a node that runs.
const nodeReady = "Ready"

// nodeOf is the name of the node that has joined a domain.
func nodeOf(id string) string { return id + "-node" }

// node is the status of a node of a domain, nil for none.
func node(d *objects.Domain, name string) *objects.NodeStatus {
	i := slices.IndexFunc(d.Status.NodeStatuses, func(node objects.NodeStatus) bool { return node.Name == name })
	if i < 0 {
		return nil
	}
	return &d.Status.NodeStatuses[i]
}

// readyNode is the status of a node that has just become Ready.
func (w *Domains) readyNode(name string) objects.NodeStatus {
	now := server.Rfc3339(w.Now())
	return objects.NodeStatus{Name: name, Status: nodeReady, Version: w.Version.String(), LastHeartbeatTime: now, LastTransitionTime: now}
}

// register notes the first report of a node, or a change of its state, which the domain
// shows some time later.
func (w *Domains) register(d *objects.Domain, name string, ready bool) error {
	delay := w.Steps(nodeSynced)
	if node(d, name) == nil {
		delay = w.Steps(nodeSeen)
		d.Status.NodeStatuses = append(slices.Clip(d.Status.NodeStatuses), objects.NodeStatus{Name: name})
		if err := w.domains.UpdateStatus(d); err != nil {
			return err
		}
	}
	w.Reconcile(delay, func() {
		now := w.domains.Current(d)
		if now == nil {
			return
		}
		now.Status.NodeStatuses = slices.Clone(now.Status.NodeStatuses)
		if there := node(now, name); there != nil {
			*there = w.readyNode(name)
			if !ready {
				there.Status = "NotReady"
			}
			_ = w.domains.UpdateStatus(now) // reports of nodes can be lost
		}
	})
	return nil
}

// hasGateway reports whether a domain has a gateway: a node has one, and so
// does a master.
func hasGateway(d *objects.Domain) bool {
	return d != nil && (d.Name == server.MasterDomain ||
		slices.ContainsFunc(d.Status.NodeStatuses, func(node objects.NodeStatus) bool { return node.Status == nodeReady }))
}
