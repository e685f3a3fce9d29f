package serving

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"

// The request messages that have no exported wire type. Their names appear in
// the server's error texts, so they are those of Kuscia.
type (
	// QueryServingRequest is the body of serving/query.
	QueryServingRequest struct {
		Header    *kuscia.RequestHeader `json:"header"`
		ServingID string                `json:"serving_id"`
	}
	// DeleteServingRequest is the body of serving/delete.
	DeleteServingRequest struct {
		Header    *kuscia.RequestHeader `json:"header"`
		ServingID string                `json:"serving_id"`
	}
	// BatchQueryServingStatusRequest is the body of serving/status/batchQuery.
	BatchQueryServingStatusRequest struct {
		Header     *kuscia.RequestHeader `json:"header"`
		ServingIDs []string              `json:"serving_ids"`
	}
)
