package domain

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// object is a domain on its way from and to the server.
type object struct {
	kuscia.Domain
	// emptyCert says that the configuration wants no certificate, which the
	// server cannot do.
	emptyCert bool
	// emptyAuth says that auth_center is there and has nothing in it, which
	// stands for a domain that has none.
	emptyAuth bool
}

// toWire reads a planned domain. A certificate that the configuration does not
// give is not sent: meanwhile a node may have brought another.
func toWire(r definition.Reader) *object {
	out := &object{Domain: kuscia.Domain{
		DomainID: r.Text(attrDomainID), Role: r.Text(attrRole), MasterDomainID: r.Text(attrMaster),
	}}
	if r.Configured(attrCert) {
		out.Cert = sentCert(r.Text(attrCert))
		out.emptyCert = out.Cert == "" && r.Has(attrCert)
	}
	if auth, ok := r.Object(attrAuthCenter); ok {
		center := kuscia.AuthCenter{AuthenticationType: auth.Text(attrAuthType), TokenGenMethod: auth.Text(attrTokenGen)}
		if out.emptyAuth = center == (kuscia.AuthCenter{}); !out.emptyAuth {
			out.AuthCenter = &center
		}
	}
	return out
}

// sentCert is a certificate without the blanks that Kuscia refuses: those around
// PEM, and all in base64, as in an indented text.
func sentCert(text string) string {
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "-----BEGIN ") {
		return text
	}
	return strings.Join(strings.Fields(text), "")
}

// request is what is sent. An update is no patch: what it leaves out is lost,
// save for the certificate.
func request(d *object) *kuscia.DomainRequest {
	return &kuscia.DomainRequest{
		DomainID: d.DomainID, Role: d.Role, Cert: d.Cert, AuthCenter: d.AuthCenter, MasterDomainID: d.MasterDomainID,
	}
}

// fromWire is the tree of an answer.
func fromWire(d *object) definition.Tree {
	out := tree{
		attrDomainID: d.DomainID, attrRole: d.Role, attrCert: d.Cert, attrMaster: d.MasterDomainID,
		"annotations": d.Annotations, attrNodes: treeNodes(d.NodeStatuses),
		attrTokens: definition.Each(d.DeployTokenStatuses, func(t kuscia.DeployTokenStatus) tree {
			return tree{"token": t.Token, "state": t.State, "last_transition_time": t.LastTransitionTime}
		}),
	}
	if d.AuthCenter != nil {
		out[attrAuthCenter] = tree{attrAuthType: d.AuthCenter.AuthenticationType, attrTokenGen: d.AuthCenter.TokenGenMethod}
	}
	return out
}

type tree = definition.Tree

func treeNodes(nodes []kuscia.NodeStatus) []any {
	return definition.Each(nodes, func(n kuscia.NodeStatus) tree {
		return tree{
			"name": n.Name, "status": n.Status, "version": n.Version,
			"last_heartbeat_time": n.LastHeartbeatTime, "last_transition_time": n.LastTransitionTime,
		}
	})
}
