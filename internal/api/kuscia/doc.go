// Package kuscia is a client of the KusciaAPI over HTTP. It does not depend on
// Terraform; the transport is in httpapi.
//
// Every KusciaAPI operation is a POST with a JSON body. A response of a handler
// always has HTTP status 200; only status.code in the body distinguishes
// success (0) from failure (observed on Kuscia v1.1). classify.go classifies
// code and text:
//
//   - code 11103, and etcd or Kubernetes timeouts: everything but a create is
//     repeated. The create may have been carried out, unless the server
//     reports a refused connection;
//   - a conflict with another client, and leftovers of a deleted serving:
//     repeated for a limited time;
//   - anything else, such as validation or a crashed handler: never.
//
// Tokens, custom headers and serving configurations are masked in errors and
// logs.
package kuscia
