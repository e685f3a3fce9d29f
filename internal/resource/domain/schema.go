package domain

import (
	"crypto/sha256"
	"crypto/x509"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Attributes that several files refer to.
const (
	attrDomainID   = "domain_id"
	attrRole       = "role"
	attrCert       = "cert"
	attrCertSHA    = "cert_fingerprint"
	attrMaster     = "master_domain_id"
	attrAuthCenter = "auth_center"
	attrAuthType   = "authentication_type"
	attrTokenGen   = "token_gen_method" //nolint:gosec // attribute name
	attrNodes      = "node_statuses"
	attrTokens     = "deploy_tokens"
)

// domainSchema defines the attributes of a domain, named as in the KusciaAPI.
// The meaning of empty values was observed on Kuscia v1.1.
func domainSchema() definition.Schema {
	return definition.Schema{
		Description: "A domain of Kuscia: a party of the federation, with its namespace and its nodes. Servings, routes, data and grants refer to it by ID.\n\n" +
			"Domains are created on a master or an autonomy node, not on a lite node.\n\n" +
			"For a domain of this cluster Kuscia creates a deploy token, with which a node joins. It is not in the state: " +
			"read it with the ephemeral resource `kuscia_domain_deploy_token`, or with `data.kuscia_domain`, whose state then contains it. " +
			"The nodes of the domain are in `data.kuscia_domain` too.\n\n" +
			"Deleting a domain deletes the route between it and the master's domain that Kuscia has created, and nothing else. " +
			"Its namespace stays with its domain data, data sources, grants, configuration and copies of routes, and all of them are visible again when a domain with this ID is created, which gets a new deploy token. " +
			"Routes of other domains to it stay as well, with the status that they had. " +
			"Delete these first if they must not stay; resources that refer to the domain are destroyed before it.\n\n" +
			"Kuscia " + versions.DomainUpdateKeeps.BeforeInPages() + " replaces the whole domain in an update: `resourceQuota`, `interConnProtocols`, labels and annotations that other clients have set go. " +
			"With `kubernetes` in the provider block, and the verbs `get` and `patch` of `domains.kuscia.secretflow`, an update keeps them; without it, the plan of an imported domain names them, and is refused because of the quota until `allow_removal_of` has it. The certificate is sent again.\n\n" +
			"Kuscia cannot list domains, so that `terraform query` does not find them.",
		Attributes: []definition.Attribute{
			{Name: attrDomainID, Replace: definition.Always, Description: "ID of the domain. Lower-case letters, digits and hyphens, at most 63 characters, beginning and ending with a letter or digit, and not `master`. " +
				"Changing it replaces the domain."},
			{Name: attrRole, Presence: definition.Optional, Description: "Omitted (or `\"\"`) for a domain of this cluster, `partner` for one that another cluster runs. Kuscia creates no deploy token for a partner."},
			{Name: attrCert, Presence: definition.ServerDefault, SetByOthers: true, SemanticEquality: definition.Certificate, Description: "Certificate of the domain, or a chain: PEM, or base64 of PEM, compared by content. It is public, so a text with a private key is refused. " +
				"If omitted, the state contains Kuscia's certificate, which the first node that joins provides. Removing the attribute changes nothing."},
			{Name: attrMaster, Presence: definition.Optional, SameAsEmpty: attrDomainID, Description: "ID of the domain of the master that runs this domain. It must exist and have the same `role`. Defaults to the domain itself; `\"\"` and its own ID mean the same.", Since: []definition.Since{{
				Need: versions.Need{Feature: versions.MasterDomainID, Without: "which would store the domain without it", Instead: "remove " + attrMaster},
			}}},
			{Name: attrAuthCenter, Type: definition.Object, Presence: definition.ServerDefault, Description: "How the nodes of the domain authenticate. If omitted, a new domain gets `Token` and `RSA-GEN`, which the provider sends since Kuscia " + versions.AuthCenterDefault.BeforeInPages() + " has no default, and an existing domain keeps its values.", Attributes: []definition.Attribute{
				{Name: attrAuthType, Description: "`Token`, `MTLS` or `None`."},
				{Name: attrTokenGen, Description: "`RSA-GEN`, `RAND-GEN` or `UID-RSA-GEN`."},
			}},
			{Name: attrCertSHA, Presence: definition.Computed, Description: "SHA-256 of the certificate, of a chain that of its first one, in hexadecimal, to compare with what the other organization says: `openssl x509 -noout -fingerprint -sha256` shows the same with colons. Empty without a certificate."},
			{Name: "annotations", Type: definition.StringMap, Presence: definition.Computed, Description: "Annotations that Kuscia has set."},
		},
		Derive: func(value, _ definition.Value) map[string]definition.Value {
			cert := definition.At(value, attrCert)
			if !cert.IsKnown() {
				return map[string]definition.Value{attrCertSHA: definition.UnknownString()}
			}
			return map[string]definition.Value{attrCertSHA: definition.StringValue(fingerprint(definition.StringOf(cert)))}
		},
		DataSource: dataSourceAttributes(),
	}
}

// fingerprint returns the SHA-256 of the first certificate of a text, "" if there is none.
func fingerprint(text string) string {
	all, err := x509.ParseCertificates(definition.DecodeCertificates(text))
	if err != nil || len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(all[0].Raw))
}

// dataSourceAttributes are the attributes that only data sources have.
func dataSourceAttributes() []definition.Attribute {
	return []definition.Attribute{
		nodesAttribute(),
		{Name: attrTokens, Type: definition.ObjectList, Presence: definition.Computed, Sensitive: true, Description: "The deploy tokens, in clear text: they are in the state of this data source. " +
			"The ephemeral resource `kuscia_domain_deploy_token` keeps them out of it. Empty for a short time after the create, and for a partner.", Attributes: []definition.Attribute{
			{Name: "token", Presence: definition.Computed, Sensitive: true, Description: "The token."},
			{Name: "state", Presence: definition.Computed, Description: "`unused`, or `used` when a node has joined with it."},
			{Name: "last_transition_time", Presence: definition.Computed, Description: "Time of the last change of `state`."},
		}},
	}
}

func nodesAttribute() definition.Attribute {
	return definition.Attribute{Name: attrNodes, Type: definition.ObjectList, Presence: definition.Computed, Description: "The nodes of the domain, as they last reported. Empty until the first one joins.", Attributes: []definition.Attribute{
		{Name: "name", Presence: definition.Computed, Description: "Name of the node."},
		{Name: "status", Presence: definition.Computed, Description: "`Ready`, `NotReady`, or empty in the first seconds."},
		{Name: "version", Presence: definition.Computed, Description: "Version of Kuscia on the node."},
		{Name: "last_heartbeat_time", Presence: definition.Computed, Description: "Time of the last heartbeat."},
		{Name: "last_transition_time", Presence: definition.Computed, Description: "Time of the last change of `status`."},
	}}
}
