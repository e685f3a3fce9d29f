package domain

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// object is a domain, with settings that are not part of the API.
type object struct {
	kuscia.Domain
	// emptyCert is true if the configuration sets the certificate to "", which
	// the server does not support.
	emptyCert bool
}

// toWire converts a planned domain. A certificate that is not configured is not
// sent, because a node may have provided another one in the meantime.
func toWire(r definition.Reader) *object {
	out := &object{Domain: kuscia.Domain{
		DomainID: r.String(attrDomainID), Role: r.String(attrRole), MasterDomainID: r.String(attrMaster),
	}}
	if r.Configured(attrCert) {
		out.Cert = sentCert(r.String(attrCert))
		out.emptyCert = out.Cert == "" && r.Has(attrCert)
	}
	if auth, ok := r.Object(attrAuthCenter); ok {
		out.AuthCenter = &kuscia.AuthCenter{AuthenticationType: auth.String(attrAuthType), TokenGenMethod: auth.String(attrTokenGen)}
	}
	return out
}

// sentCert returns a certificate without the white space that Kuscia rejects:
// around PEM, and anywhere in base64, for example in an indented text.
func sentCert(text string) string {
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "-----BEGIN ") {
		return text
	}
	return strings.Join(strings.Fields(text), "")
}

// request returns the request body. An update is not a patch: fields that it
// omits are lost, except for the certificate.
func request(d *object) *kuscia.DomainRequest {
	return &kuscia.DomainRequest{
		DomainID: d.DomainID, Role: d.Role, Cert: d.Cert, AuthCenter: d.AuthCenter, MasterDomainID: d.MasterDomainID,
	}
}

// fromWire converts a response into attribute values.
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
