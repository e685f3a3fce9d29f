package kuscia

import (
	"encoding/json"
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
	Data json.RawMessage `json:"data"`
}

// errNotJSON is returned for a response that is not JSON.
var errNotJSON = errors.New("the response is not JSON")

// decodeEnvelope decodes a response. It returns errNotJSON if the bytes are not
// JSON, such as a truncated response or a proxy's page.
func decodeEnvelope(body []byte) (Status, json.RawMessage, error) {
	var e envelope
	decodeErr := json.Unmarshal(body, &e)
	var notJSON *json.SyntaxError
	if errors.As(decodeErr, &notJSON) {
		return Status{}, nil, errNotJSON
	}
	if err := httpapi.CheckStructure(body); err != nil {
		return Status{}, nil, err
	}
	if decodeErr != nil {
		return Status{}, nil, httpapi.PlainDecodeError(decodeErr)
	}
	if e.Status == nil || e.Status.Code == nil {
		return Status{}, nil, errors.New("the response has no status code")
	}
	return Status{Code: *e.Status.Code, Message: e.Status.Message}, e.Data, nil
}
