// Package httpapi calls HTTP APIs: transport, retries, bounded decoding,
// masking, logs, and the classification of transport failures. It contains
// nothing specific to an API; each API has a Protocol that authorizes requests
// and classifies responses.
//
// Failed attempts are classified in two places (by the Protocol for responses,
// in transport_failure.go for everything else). Which are repeated, and how long, depends on
// the API and the kind of failure, so the loop is here and not in a library:
//
//   - if the request was certainly not carried out, such as after a refused
//     connection or 429: every operation is repeated;
//   - if it may have been carried out, such as after a lost response or 5xx:
//     everything but a create is repeated. apierror.OutcomeUnknown is true for
//     the error, and the caller looks the object up;
//   - a conflict with another writer, and leftovers of a deleted object:
//     repeated for a time rather than a number of attempts, since the next
//     attempt may well succeed;
//   - anything else, such as validation, 401, or TLS: never.
//
// A response is read up to a limit and checked for input that encoding/json
// silently accepts. Every text of a server goes through Masker.Text before it
// is shown.
package httpapi
