// Package certificate is the ephemeral resource kuscia_certificate: a key with
// a certificate that the node signs.
package certificate
