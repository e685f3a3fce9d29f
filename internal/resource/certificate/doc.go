// Package certificate implements the ephemeral resource kuscia_certificate: a
// private key with a certificate that the node signs.
package certificate
