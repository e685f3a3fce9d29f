package appimage

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"

// The request messages that have no exported wire type. Their names appear in
// the server's error texts, so they are those of Kuscia.
type (
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
)
