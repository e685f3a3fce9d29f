// Package kuscia stands for the wire types of the provider.
package kuscia

type Serving struct {
	Initiator string   `json:"initiator"`
	Replicas  int      `json:"replicas"`
	Parties   []Party  `json:"parties"`
	Status    *Status  `json:"status"`
	Names     []string `json:"names"`
}

type Party struct {
	DomainID string `json:"domain_id"`
}

type Status struct {
	Reason string `json:"reason" text:"shown"`
	Party
}

type CreateRequest struct {
	ServingID string `json:"serving_id"`
}

type Config struct{ Endpoint string }
