// Package httpapi calls HTTP APIs: transport, repetitions, bounded decoding,
// masks, logs, and what a failure on the way means. It knows no API; each one
// brings a Protocol that authorises requests and judges answers.
//
// What a failed try means is found out in two places (the Protocol for
// answers, transport_failure.go for everything else), and one mechanism repeats
// it, go-retryablehttp:
//
//   - what certainly did not happen, such as a refused connection or 429: every
//     operation is repeated;
//   - what may have happened, such as a lost answer or 5xx: everything but a
//     create is repeated. The error says apierror.OutcomeUnknown, and the
//     caller looks;
//   - a conflict with another writer, and leftovers of a deleted object:
//     repeated for a time, not for a count, since the next try may well
//     succeed;
//   - anything else, such as validation, 401, or TLS: never.
//
// An answer is read up to a limit and checked for what encoding/json lets pass
// in silence. Every text of a server goes through Masker.Text before anybody
// sees it.
package httpapi
