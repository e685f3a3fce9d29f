package server

import "fmt"

// Sizes at which a recorded server refused an object: the store's limit for an
// entry and the API server's limit for a request.
const (
	storeLimit   = 1536 * 1024
	requestLimit = 3 * 1024 * 1024
)

// CheckSize returns the error text for an object of this size, or "".
func CheckSize(bytes int) string {
	switch {
	case bytes > requestLimit:
		return fmt.Sprintf("Request entity too large: limit is %d", requestLimit)
	case bytes > storeLimit:
		return "etcdserver: request is too large"
	default:
		return ""
	}
}
