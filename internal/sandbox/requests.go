package sandbox

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
	// CreateAppImageRequest is the body of appimage/create.
	CreateAppImageRequest kuscia.AppImage
	// QueryAppImageRequest is the body of appimage/query.
	QueryAppImageRequest struct {
		Header *kuscia.RequestHeader `json:"header"`
		Name   string                `json:"name"`
	}
	// DeleteAppImageRequest is the body of appimage/delete.
	DeleteAppImageRequest struct {
		Header *kuscia.RequestHeader `json:"header"`
		Name   string                `json:"name"`
	}
	// BatchQueryAppImageRequest is the body of appimage/batchQuery.
	BatchQueryAppImageRequest struct {
		Header *kuscia.RequestHeader `json:"header"`
		Names  []string              `json:"names"`
	}
	// ListAppImageRequest is the body of appimage/list.
	ListAppImageRequest struct {
		Header    *kuscia.RequestHeader `json:"header"`
		PageSize  int64                 `json:"page_size"`
		PageToken string                `json:"page_token"`
	}
	// HealthRequest is the body of healthZ.
	HealthRequest struct {
		Header *kuscia.RequestHeader `json:"header"`
	}
)
