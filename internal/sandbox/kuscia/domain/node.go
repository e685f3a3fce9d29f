package domain

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Delays until the status of a node is visible, in steps of the timing.
const (
	nodeSeen   = 200  // a new node; 2 s in real time
	nodeSynced = 1000 // a change of its state; 10 s in real time
)

// domainNode is a node of a domain, as stored and as shown.
type domainNode struct {
	name   string
	ready  bool
	status nodeStatus
}

func (d *domain) node(name string) *domainNode {
	for _, node := range d.registered {
		if node.name == name {
			return node
		}
	}
	return nil
}

func (w *Domains) showNode(node *domainNode) {
	state := "NotReady"
	if node.ready {
		state = "Ready"
	}
	node.status = nodeStatus{
		Name: node.name, Status: state, Version: w.Version.String(),
		LastHeartbeatTime: server.Rfc3339(w.Now()), LastTransitionTime: server.Rfc3339(w.Now()),
	}
}

// hasGateway reports whether a domain has a gateway: a node has one, and so
// does a master.
func (w *Domains) hasGateway(domainID string) bool {
	d := w.byID[domainID]
	if d == nil {
		return false
	}
	if d.withNode || domainID == server.MasterDomain {
		return true
	}
	for _, node := range d.registered {
		if node.ready {
			return true
		}
	}
	return false
}
