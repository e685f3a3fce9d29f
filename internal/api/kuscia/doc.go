// Package kuscia is a client of the KusciaAPI over HTTP. It knows Kuscia and
// nothing of Terraform; how requests travel is in httpapi.
//
// Every KusciaAPI operation is a POST with a JSON body. A reply that reached a
// handler is always HTTP 200; only status.code in the body tells success (0)
// from failure (observed on Kuscia v1.1). What code and text mean is found out
// in classify.go:
//
//   - code 11103, and etcd or Kubernetes time-outs: everything but a create is
//     repeated. The create may have happened; a refused connection inside of
//     the server says that it did not;
//   - a conflict with another writer, and leftovers of a deleted serving:
//     repeated for a time;
//   - anything else, such as validation or a crashed handler: never.
//
// Tokens, custom headers and serving configurations are masked in errors and
// logs.
package kuscia
