package httpapi

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// CheckEncoding refuses texts that begin with a byte order mark, which some
// editors and shells of Windows write.
func CheckEncoding(content []byte) error {
	for mark, name := range map[string]string{"\xef\xbb\xbf": "UTF-8", "\xff\xfe": "UTF-16", "\xfe\xff": "UTF-16"} {
		if bytes.HasPrefix(content, []byte(mark)) {
			return fmt.Errorf("it begins with a byte order mark (%s); save it as UTF-8 without byte order mark (BOM)", name)
		}
	}
	return nil
}

// CheckCertificates requires one or more certificates in PEM form. Its errors
// contain nothing of the content.
func CheckCertificates(content []byte) error {
	if err := CheckEncoding(content); err != nil {
		return err
	}
	n := 0
	for {
		var block *pem.Block
		block, content = pem.Decode(content)
		if block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return errors.New("a certificate in it cannot be parsed; the file may be damaged or incomplete")
		}
		n++
	}
	if n == 0 {
		return errors.New("it contains no certificate in PEM form (-----BEGIN CERTIFICATE-----)")
	}
	return nil
}

// checkPrivateKey requires a private key in PEM form that needs no passphrase.
func checkPrivateKey(content []byte) error {
	if err := CheckEncoding(content); err != nil {
		return err
	}
	for {
		var block *pem.Block
		block, content = pem.Decode(content)
		switch {
		case block == nil:
			return errors.New("it contains no private key in PEM form (-----BEGIN PRIVATE KEY-----)")
		case !strings.HasSuffix(block.Type, "PRIVATE KEY"):
			continue
		case block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED"):
			return errors.New("the private key is encrypted with a passphrase, which the provider does not ask for; decrypt it, for example with openssl pkey -in encrypted.key -out client.key")
		}
		return nil
	}
}

// ErrOtherKey means that a key does not belong to the certificate.
var ErrOtherKey = errors.New("the key does not belong to the client certificate; use both files of one pair")

// CheckClientCertificate requires a client certificate and its private key. Its
// error is a *ConfigError for the field that is wrong, with nothing of the
// content, and ErrOtherKey if the two are no pair.
func CheckClientCertificate(certificate, key []byte) error {
	if err := CheckCertificates(certificate); err != nil {
		return &ConfigError{Field: "ClientCertificate", Problem: err.Error()}
	}
	if err := checkPrivateKey(key); err != nil {
		return &ConfigError{Field: "ClientKey", Problem: err.Error()}
	}
	_, err := tls.X509KeyPair(certificate, key)
	switch {
	case err == nil:
		return nil
	case strings.Contains(err.Error(), "does not match"):
		return &ConfigError{Field: "ClientKey", Problem: ErrOtherKey.Error(), Err: ErrOtherKey}
	}
	return &ConfigError{Field: "ClientKey", Problem: "its private key cannot be parsed; the file may be damaged or incomplete"}
}
