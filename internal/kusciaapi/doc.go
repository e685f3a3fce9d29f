// Package kusciaapi is a client of the KusciaAPI over HTTP. It knows Kuscia and
// nothing of Terraform.
//
// Every KusciaAPI operation is a POST with a JSON body. A reply that reached a
// handler is always HTTP 200; only status.code in the body tells success (0)
// from failure (observed on Kuscia v1.1).
package kusciaapi
