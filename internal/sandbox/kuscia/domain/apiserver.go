package domain

import (
	"maps"
	"reflect"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// interConn is the protocol of a partner's domain.
const interConn = "kuscia"

// into writes the domain into an object.
func (d *domain) into(object *objects.Domain) *objects.Domain {
	object.Meta.Name = d.id
	object.Spec.Role, object.Spec.Cert, object.Spec.Master, object.Spec.AuthCenter = d.role, d.cert, d.master, nil
	if d.role == DomainRolePartner && len(object.Spec.InterConnProtocols) == 0 {
		object.Spec.InterConnProtocols = []string{interConn}
	}
	if d.auth != nil {
		object.Spec.AuthCenter = &objects.AuthCenter{AuthenticationType: d.auth.AuthenticationType, TokenGenMethod: d.auth.TokenGenMethod}
	}
	return object
}

// from takes over what an object says, and reports whether it has changed the domain.
func (d *domain) from(object *objects.Domain) bool {
	before := *d
	d.role, d.cert, d.master, d.auth = object.Spec.Role, object.Spec.Cert, object.Spec.Master, nil
	if auth := object.Spec.AuthCenter; auth != nil {
		d.auth = &AuthCenter{AuthenticationType: auth.AuthenticationType, TokenGenMethod: auth.TokenGenMethod}
	}
	return d.role != before.role || d.cert != before.cert || d.master != before.master || !reflect.DeepEqual(d.auth, before.auth)
}

// write writes a changed domain to the API server, if there is one.
func (w *Domains) write(d *domain) error {
	if w.API == nil {
		return nil
	}
	there, err := w.API.Domains.Get("", d.id)
	if there == nil || err != nil {
		return err // deleted meanwhile
	}
	return w.API.Domains.Update(d.into(there))
}

// MoveTo writes the domains to the API server that has them from now on. Those that it has
// already stay as they are.
func (w *Domains) MoveTo(api *objects.API) error {
	for _, id := range slices.Sorted(maps.Keys(w.byID)) {
		there, err := api.Domains.Get("", id)
		if err == nil && there == nil {
			if err = api.Domains.Create(w.byID[id].into(&objects.Domain{})); err != nil {
				there, _ = api.Domains.Get("", id) // another Kuscia of this API server was first
			}
		}
		if there == nil && err != nil {
			return err
		}
	}
	return nil
}

// sync takes over what other clients of the API server have done. The master's own domain
// is not theirs. While the API server does not respond, the domains are as they were.
func (w *Domains) sync() {
	if w.API == nil {
		return
	}
	all, err := w.API.Domains.List("", nil)
	if err != nil {
		return
	}
	listed := map[string]bool{server.MasterDomain: true}
	for _, object := range all {
		id := object.Meta.Name
		if id == server.MasterDomain {
			continue
		}
		listed[id] = true
		d := w.byID[id]
		switch {
		case d == nil:
			d = w.addDomain(id, object.Spec.Role)
			d.from(object)
			w.domainCreated(d)
		case d.from(object):
			w.domainChanged(d)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.byID)) {
		if !listed[id] {
			w.domainDeleted(w.byID[id])
		}
	}
}
