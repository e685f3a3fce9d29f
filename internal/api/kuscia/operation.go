package kuscia

import "net/http"

// operation is one KusciaAPI call: where it goes and what repeating it means.
type operation struct {
	// name is how errors and logs call it.
	name   string
	method string
	path   string
	// writes is set when the call changes something, so that a lost answer
	// leaves its effect open.
	writes bool
	// creates is set when repeating the call is not the same as calling once:
	// it is repeated only when the earlier try certainly did not happen.
	creates bool
	// plain is set when the answer is a text and not the JSON envelope.
	plain bool
	// flat is set when the answer has its fields beside the status.
	flat bool
	// secret is set when no body is to be logged, whatever its fields.
	secret bool
}

// The operations of the KusciaAPI that the client knows (Kuscia v1.1).
var (
	opCreateServing = operation{name: "serving/create", method: http.MethodPost, path: "/api/v1/serving/create", writes: true, creates: true}
	opQueryServing  = operation{name: "serving/query", method: http.MethodPost, path: "/api/v1/serving/query"}
	opUpdateServing = operation{name: "serving/update", method: http.MethodPost, path: "/api/v1/serving/update", writes: true}
	opDeleteServing = operation{name: "serving/delete", method: http.MethodPost, path: "/api/v1/serving/delete", writes: true}
	opServingStatus = operation{name: "serving/status/batchQuery", method: http.MethodPost, path: "/api/v1/serving/status/batchQuery"}

	opCreateAppImage = operation{name: "appimage/create", method: http.MethodPost, path: "/api/v1/appimage/create", writes: true, creates: true}
	opQueryAppImage  = operation{name: "appimage/query", method: http.MethodPost, path: "/api/v1/appimage/query"}
	opUpdateAppImage = operation{name: "appimage/update", method: http.MethodPost, path: "/api/v1/appimage/update", writes: true}
	opDeleteAppImage = operation{name: "appimage/delete", method: http.MethodPost, path: "/api/v1/appimage/delete", writes: true}
	opBatchAppImages = operation{name: "appimage/batchQuery", method: http.MethodPost, path: "/api/v1/appimage/batchQuery"}
	opListAppImages  = operation{name: "appimage/list", method: http.MethodPost, path: "/api/v1/appimage/list"}

	opVersion = operation{name: "version", method: http.MethodGet, path: "/version", plain: true}
	opHealth  = operation{name: "healthZ", method: http.MethodPost, path: "/healthZ"}
)
