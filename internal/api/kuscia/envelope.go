package kuscia

import (
	"errors"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// RequestHeader is the common "header" object of every request. The server
// accepts and ignores it (Kuscia v1.1).
type RequestHeader struct {
	// CustomHeaders are free-form key/value pairs for gateways and audit logs.
	CustomHeaders map[string]string `json:"custom_headers,omitempty"`
}

// Status is the outcome of a request. Code 0 with message "success" is the only
// success; the HTTP status is irrelevant.
type Status struct {
	// Code is 0 or one of the Kuscia error codes (see Code).
	Code int32 `json:"code"`
	// Message is the server's text; for servings, only the text distinguishes
	// not-found, exists and conflict.
	Message string `json:"message"`
}

// envelope is the form of every response of a handler.
type envelope struct {
	Status *struct {
		Code    *int32 `json:"code"`
		Message string `json:"message"`
	} `json:"status"`
	Data httpapi.Document `json:"data"`
	// Code and Message are those of an error that ends a handler before v0.10, which has no
	// status then.
	Code    *int32 `json:"code"`
	Message string `json:"message"`
}

// decodeEnvelope decodes a response.
func decodeEnvelope(response httpapi.Document) (Status, httpapi.Document, error) {
	var e envelope
	if err := response.Decode(&e); err != nil {
		return Status{}, httpapi.Document{}, err
	}
	if e.Status == nil && e.Code != nil && *e.Code != 0 {
		return Status{Code: *e.Code, Message: e.Message}, httpapi.Document{}, nil
	}
	if e.Status == nil || e.Status.Code == nil {
		return Status{}, httpapi.Document{}, errors.New("the response has no status code")
	}
	return Status{Code: *e.Status.Code, Message: e.Status.Message}, e.Data, nil
}
