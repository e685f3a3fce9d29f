// Package kuscia is a client of the KusciaAPI over HTTP. It knows Kuscia and
// nothing of Terraform.
//
// Every KusciaAPI operation is a POST with a JSON body. A reply that reached a
// handler is always HTTP 200; only status.code in the body tells success (0)
// from failure (observed on Kuscia v1.1).
//
// What a failed try means is found out in one place (classify.go for answers of
// a handler, transport_failure.go for everything else), and one mechanism
// repeats it, go-retryablehttp:
//
//   - no connection, 429, and a refused connection inside of the server: every
//     operation is repeated;
//   - a lost, cut-off or empty answer, a page of a proxy, 5xx, code 11103, and
//     etcd or Kubernetes time-outs: everything but a create is repeated. The
//     create may have happened; MayHaveHappened says so, and the caller looks;
//   - a conflict with another writer, and leftovers of a deleted serving:
//     repeated for a time, not for a count, since the next try may well
//     succeed;
//   - anything else, such as validation, 401, a crashed handler, or TLS: never.
//
// An answer is read up to a limit and checked for what encoding/json lets pass
// in silence. Tokens, custom headers and serving configurations are masked in
// errors and logs.
package kuscia
