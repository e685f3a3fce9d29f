package domain

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
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
		out.Cert = strings.TrimSpace(r.String(attrCert))
		out.emptyCert = out.Cert == "" && r.Has(attrCert)
	}
	if auth, ok := r.Object(attrAuthCenter); ok {
		out.AuthCenter = &kuscia.AuthCenter{AuthenticationType: auth.String(attrAuthType), TokenGenMethod: auth.String(attrTokenGen)}
	}
	return out
}

// encodedCert returns a certificate as base64 of PEM, the only form that every version of Kuscia
// accepts and finds again. A text without a certificate, which a check refuses, stays as it is.
func encodedCert(text string) string {
	certificates, err := x509.ParseCertificates(definition.DecodeCertificates(text))
	if err != nil || len(certificates) == 0 {
		return text
	}
	var chain bytes.Buffer
	for _, certificate := range certificates {
		_ = pem.Encode(&chain, &pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw}) // to memory
	}
	return base64.StdEncoding.EncodeToString(chain.Bytes())
}

// request returns the request body. An update is not a patch: fields that it
// omits are lost, except for the certificate, which Kuscia keeps since v0.12.
func request(d *object) *kuscia.DomainRequest {
	return &kuscia.DomainRequest{
		DomainID: d.DomainID, Role: d.Role, Cert: encodedCert(d.Cert), AuthCenter: d.AuthCenter, MasterDomainID: d.MasterDomainID,
	}
}

// createRequest is request for a new domain. Before v0.14 Kuscia has no default for the
// authentication, and creates no route to the master for a domain without it.
func createRequest(d *object) *kuscia.DomainRequest {
	body := request(d)
	if body.AuthCenter == nil {
		body.AuthCenter = &kuscia.AuthCenter{AuthenticationType: "Token", TokenGenMethod: "RSA-GEN"}
	}
	return body
}

// fromWire converts a response into attribute values.
func fromWire(d *object) definition.Tree {
	out := tree{
		attrDomainID: d.DomainID, attrRole: d.Role, attrCert: d.Cert, attrCertSHA: fingerprint(d.Cert), attrMaster: d.MasterDomainID,
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
