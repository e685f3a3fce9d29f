package domain

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// checkAuthCenter is the store's error for the authentication of a domain.
func checkAuthCenter(id string, auth *AuthCenter) string {
	if auth == nil {
		return ""
	}
	var errs server.FieldErrors
	errs.Supported("spec.authCenter.authenticationType", auth.AuthenticationType, "Token", "MTLS", "None")
	errs.Supported("spec.authCenter.tokenGenMethod", auth.TokenGenMethod, "RSA-GEN", "RAND-GEN", "UID-RSA-GEN")
	return errs.Text("Domain", id)
}

// domainCreated notifies the controllers of a new domain.
func (w *Domains) domainCreated(d *domain) {
	w.After(w.Timing.Apply, func() {
		if w.byID[d.id] == d {
			w.addAutomaticRoute(d)
		}
	})
	if w.simulated[d.id] { // its node still runs, and gets the token of the new domain
		w.After(w.Timing.Apply+w.Timing.Reconcile, func() {
			if w.byID[d.id] == d {
				_ = w.join(d) // a domain of another cluster has no node here
			}
		})
	}
	w.wakeGrantsTo(d.id)
}

// seedDomains creates the domains of the options, and that of a master.
func seedDomains(controlPlane *server.ControlPlane) {
	w := Of(controlPlane)
	for _, id := range w.Domains {
		role := ""
		if w.Autonomy != "" && id != w.Autonomy {
			role = DomainRolePartner
		}
		d := w.addDomain(id, role)
		d.withNode, d.nodeSince = role == "", w.Now()
	}
	if w.Autonomy != "" {
		return
	}
	d := w.addDomain(server.MasterDomain, "")
	d.auth, d.cert = nil, w.authority().encodedCert()
	for _, id := range slices.Sorted(maps.Keys(w.byID)) {
		w.addAutomaticRoute(w.byID[id])
	}
}

// savedDomains is the part of the state file for domains.
type savedDomains struct {
	Domains    []savedDomain `json:"domains"`
	Namespaces []string      `json:"namespaces"`
}

type savedDomain struct {
	ID        string        `json:"id"`
	Role      string        `json:"role"`
	Cert      string        `json:"cert"`
	Master    string        `json:"master"`
	Auth      *AuthCenter   `json:"auth"`
	Created   time.Time     `json:"created"`
	UID       uint64        `json:"uid"`
	Tokens    []deployToken `json:"tokens"`
	WithNode  bool          `json:"with_node"`
	NodeSince time.Time     `json:"node_since"`
	Nodes     []nodeStatus  `json:"nodes"`
}

func saveDomains(controlPlane *server.ControlPlane) any {
	w := Of(controlPlane)
	saved := savedDomains{Namespaces: slices.Sorted(maps.Keys(w.namespaces))}
	for _, id := range slices.Sorted(maps.Keys(w.byID)) {
		d := w.byID[id]
		one := savedDomain{
			ID: d.id, Role: d.role, Cert: d.cert, Master: d.master, Auth: d.auth, Created: d.created, UID: d.uid,
			Tokens: d.tokens, WithNode: d.withNode, NodeSince: d.nodeSince,
		}
		for _, node := range d.registered {
			one.Nodes = append(one.Nodes, node.status)
		}
		saved.Domains = append(saved.Domains, one)
	}
	return saved
}

func restoreDomains(controlPlane *server.ControlPlane, text json.RawMessage) error {
	w := Of(controlPlane)
	var saved savedDomains
	if err := json.Unmarshal(text, &saved); err != nil {
		return fmt.Errorf("reading domains: %w", err)
	}
	clear(w.byID)
	clear(w.namespaces)
	for _, one := range saved.Domains {
		d := &domain{
			id: one.ID, role: one.Role, cert: one.Cert, master: one.Master, auth: one.Auth, created: one.Created, uid: one.UID,
			tokens: one.Tokens, withNode: one.WithNode, nodeSince: one.NodeSince,
		}
		for _, status := range one.Nodes {
			d.registered = append(d.registered, &domainNode{name: status.Name, ready: status.Status == "Ready", status: status})
		}
		w.ReserveUID(one.UID)
		w.byID[d.id] = d
		if d.id == server.MasterDomain {
			d.cert = w.authority().encodedCert() // the authority is generated again
		}
	}
	for _, namespace := range saved.Namespaces {
		w.namespaces[namespace] = true
	}
	return nil
}

// Domains are all domains, with the controllers of their objects.
type Domains struct {
	*server.ControlPlane
	byID       map[string]*domain
	namespaces map[string]bool // remain when their domain is deleted
	// simulated are the domains whose node a server simulates; true: it has joined.
	simulated map[string]bool
}

// Of returns the domains of a control plane, as they are in its API server, if it has one.
// It is called with the lock held.
func Of(w *server.ControlPlane) *Domains {
	domains := server.Stored[Domains](w)
	if domains.ControlPlane == nil {
		*domains = Domains{ControlPlane: w, byID: map[string]*domain{}, namespaces: map[string]bool{}, simulated: map[string]bool{}}
	}
	domains.sync()
	return domains
}

// Exists reports whether the domain exists.
func (w *Domains) Exists(id string) bool { return w.byID[id] != nil }

// IsPartner reports whether another cluster runs the domain.
func (w *Domains) IsPartner(id string) bool {
	d := w.byID[id]
	return d != nil && d.role == DomainRolePartner
}

// HasNamespace reports whether there is or was a domain with this id that can
// contain objects.
func (w *Domains) HasNamespace(id string) bool { return w.namespaces[id] }
