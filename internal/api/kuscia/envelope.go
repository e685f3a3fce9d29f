package kuscia

// RequestHeader is the common "header" object of every request. The server
// accepts and ignores it (Kuscia v1.1).
type RequestHeader struct {
	// CustomHeaders are free-form key/value pairs for gateways and audit logs.
	CustomHeaders map[string]string `json:"custom_headers,omitempty"`
}

// Status is the outcome of a request. Code 0 with message "success" is the
// only success; the HTTP status says nothing.
type Status struct {
	// Code is 0 or one of the Kuscia error codes (see Code).
	Code int32 `json:"code"`
	// Message is the server's text, the only place that tells not-found,
	// exists and conflict apart for servings.
	Message string `json:"message"`
}
