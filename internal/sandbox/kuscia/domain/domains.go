package domain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Domains are all domains and their objects, with the controllers of these.
type Domains struct {
	*server.ControlPlane
	domains    *server.Table[objects.Domain]
	namespaces *server.Table[objects.Namespace]
	routes     *server.Table[objects.ClusterDomainRoute]
	copies     *server.Table[objects.DomainRoute]
	sources    *server.Table[objects.DomainDataSource]
	data       *server.Table[objects.DomainData]
	grants     *server.Table[objects.DomainDataGrant]
	configs    *server.Table[objects.ConfigMap]
	// simulated are the domains whose node a server simulates; true: it has joined.
	simulated map[string]bool
	caches    map[string]*configCache // by domain
	resyncs   bool                    // the next resync of grants is scheduled
}

// Of returns the domains of a control plane. It is called with the lock held.
func Of(w *server.ControlPlane) *Domains {
	d := server.Stored[Domains](w)
	if d.ControlPlane == nil {
		*d = Domains{
			ControlPlane: w, simulated: map[string]bool{}, caches: map[string]*configCache{},
			domains: server.TableOf[objects.Domain](w), namespaces: server.TableOf[objects.Namespace](w),
			routes: server.TableOf[objects.ClusterDomainRoute](w), copies: server.TableOf[objects.DomainRoute](w),
			sources: server.TableOf[objects.DomainDataSource](w), data: server.TableOf[objects.DomainData](w),
			grants: server.TableOf[objects.DomainDataGrant](w), configs: server.TableOf[objects.ConfigMap](w),
		}
		d.domains.OnChange(d.domainChanged)
		d.routes.OnChange(d.routeChanged)
		d.data.OnChange(d.dataChanged)
		d.grants.OnChange(d.grantChanged)
		d.configs.OnChange(d.configChanged)
	}
	return d
}

// domain is a domain, nil if it does not exist.
func (w *Domains) domain(id string) *objects.Domain { return w.domains.Get("", id) }

// IsPartner reports whether another cluster runs the domain.
func (w *Domains) IsPartner(id string) bool {
	d := w.domain(id)
	return d != nil && d.Spec.Role == DomainRolePartner
}

// HasNamespace reports whether there is or was a domain with this id that can
// contain objects.
func (w *Domains) HasNamespace(id string) bool { return w.namespaces.Get("", id) != nil }

// domainChanged is the beginning of a pass of the controllers of domains.
func (w *Domains) domainChanged(before, after *objects.Domain) {
	current := after
	if current == nil {
		current = before
	}
	if w.API == nil && !w.ControllersEnded() { // it has its own controller of namespaces
		w.labelNamespace(current.Name, after)
	}
	if after == nil {
		w.removeAutomaticRoute(before)
		return
	}
	w.Reconcile(w.Timing.Apply, func() { w.prepare(after) })
	if before != nil && before.UID == after.UID {
		if before.Generation != after.Generation || hasGateway(before) != hasGateway(after) {
			w.wakeRoutesOf(after.Name)
		}
		return
	}
	if w.simulated[after.Name] { // its node still runs, and gets the token of the new domain
		w.After(w.Timing.Apply+w.Timing.Reconcile, func() {
			if d := w.domains.Current(after); d != nil {
				_ = w.join(d, "") // a domain of another cluster has no node here
			}
		})
	}
	w.wakeGrantsTo(after.Name)
}

// labelNamespace makes the namespace of a domain, which remains when the domain is deleted.
// The name of one has no dot; a domain with one gets nothing.
func (w *Domains) labelNamespace(id string, d *objects.Domain) {
	namespace := w.namespaces.Get("", id)
	switch {
	case namespace != nil:
		namespace.Labels = objects.LabelNamespace(d, namespace.Labels)
		_ = w.namespaces.Update(namespace) // only in memory, which does not fail
	case d != nil && !strings.Contains(id, "."):
		named := map[string]string{objects.LabelMetadataName: id} // by Kubernetes
		_ = w.namespaces.Create(&objects.Namespace{Meta: objects.Meta{Name: id, Labels: objects.LabelNamespace(d, named)}})
	}
}

// prepare gives a domain once the route to the master, and a local one the token that its
// node needs.
func (w *Domains) prepare(d *objects.Domain) {
	if d = w.domains.Current(d); d == nil || !w.authorize(d) || unusedToken(d) >= 0 {
		return
	}
	if d.Spec.Role != "" && w.Version.Has(versions.PartnerTokens) {
		return
	}
	d.Status.DeployTokenStatuses = append(slices.Clip(d.Status.DeployTokenStatuses), w.newToken(objects.TokenUnused))
	_ = w.domains.UpdateStatus(d) // after a conflict it is noticed again
}

// authorize creates the route to the master, once, and reports whether there is no conflict.
func (w *Domains) authorize(d *objects.Domain) bool {
	if d.Name == server.MasterDomain || d.Labels[objects.LabelDomainAuth] == objects.AuthCompleted || w.domain(server.MasterDomain) == nil {
		return true
	}
	if !w.Version.Has(versions.AuthCenterDefault) && d.Spec.AuthCenter == nil {
		return true // no route
	}
	if strings.Contains(d.Name, ".") || !w.Version.Has(versions.RandomTokenRoutes) && d.Spec.AuthCenter != nil && d.Spec.AuthCenter.TokenGenMethod == "RAND-GEN" {
		return false
	}
	if err := w.routes.Create(automaticRoute(d)); err != nil && objects.ReasonOf(err) != objects.AlreadyExists {
		return false
	}
	d.Label(objects.LabelDomainAuth, objects.AuthCompleted)
	return w.domains.Update(d) == nil
}

// unusedToken is the index of a token with which a node can join, -1 for none.
func unusedToken(d *objects.Domain) int {
	return slices.IndexFunc(d.Status.DeployTokenStatuses, func(token objects.DeployToken) bool { return token.State == objects.TokenUnused })
}

func (w *Domains) newToken(state string) objects.DeployToken {
	return objects.DeployToken{Token: engine.RandomText(w.Rand, 32), State: state, LastTransitionTime: server.Rfc3339(w.Now())}
}

// seedDomains creates the domains of the options, and that of a master.
func seedDomains(controlPlane *server.ControlPlane) {
	w := Of(controlPlane)
	for _, id := range w.Domains {
		d := w.newDomain(id)
		d.Spec.AuthCenter = defaultAuthCenter() // by Kuscia's own script
		if w.Autonomy != "" && id != w.Autonomy {
			d.Spec.Role, d.Spec.InterConnProtocols = DomainRolePartner, []string{interConn}
		}
		_ = w.domains.Create(d) // memory fails only for a name that exists
		if d.Spec.Role == "" {
			d.Status.NodeStatuses = []objects.NodeStatus{w.readyNode(nodeOf(id))}
			_ = w.domains.UpdateStatus(d)
		}
	}
	if w.Autonomy != "" {
		return
	}
	d := w.newDomain(server.MasterDomain)
	d.Spec.AuthCenter, d.Spec.Cert = nil, w.authority().encodedCert()
	_ = w.domains.Create(d)
	for _, d := range w.domains.List("") {
		w.authorize(d)
	}
}

// join makes the node of a domain Ready, with its certificate unless there is one, a deploy
// token ("" for any), and the default data source.
func (w *Domains) join(d *objects.Domain, token string) error {
	if d.Spec.Role != "" {
		return fmt.Errorf("domain %q is run by another cluster", d.Name)
	}
	if d.Spec.Cert == "" {
		files, err := server.MakeCertificates()
		if err != nil {
			return err
		}
		d.Spec.Cert = encodePEM(files[server.FileServerCert])
		if err := w.domains.Update(d); err != nil {
			return err
		}
	}
	if node(d, nodeOf(d.Name)) == nil {
		tokens := slices.Clone(d.Status.DeployTokenStatuses)
		used := slices.IndexFunc(tokens, func(one objects.DeployToken) bool { return one.Token == token })
		if used < 0 {
			used = unusedToken(d)
		}
		if used < 0 {
			tokens = slices.Insert(tokens, 0, w.newToken(objects.TokenUsed))
		} else {
			tokens[used].State = objects.TokenUsed
			tokens[0], tokens[used] = tokens[used], tokens[0]
		}
		d.Status.DeployTokenStatuses = tokens
		d.Status.NodeStatuses = append(slices.Clip(d.Status.NodeStatuses), w.readyNode(nodeOf(d.Name)))
		if err := w.domains.UpdateStatus(d); err != nil {
			return err
		}
	}
	return w.AddDefaultDataSource(d.Name)
}
