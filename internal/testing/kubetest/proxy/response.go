package proxy

import (
	"encoding/json"
	"io"
	"log"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// discard discards the HTTP server's messages about connections that tests
// close.
var discard = log.New(io.Discard, "", 0)

// statusRecorder records the status of a response.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *statusRecorder) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets watches flush.
func (w *statusRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// discardResponse is a response that gets lost.
type discardResponse struct{ header http.Header }

// Header implements http.ResponseWriter.
func (d *discardResponse) Header() http.Header { return d.header }

// Write implements http.ResponseWriter.
func (d *discardResponse) Write(text []byte) (int, error) { return len(text), nil }

// WriteHeader implements http.ResponseWriter.
func (d *discardResponse) WriteHeader(int) {}

// writeStatus responds with an error as Kubernetes does.
func writeStatus(w http.ResponseWriter, err *apierrors.StatusError) {
	status := err.ErrStatus
	status.Kind, status.APIVersion = "Status", "v1"
	writeJSON(w, int(status.Code), status)
}

func writeJSON(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value)
}
