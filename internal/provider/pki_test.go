package provider

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"sync"
	"testing"
	"time"
)

// pair is a certificate and its key in PEM form.
type pair struct{ cert, key string }

var testPairs = sync.OnceValues(func() ([2]pair, error) {
	var pairs [2]pair
	for i := range pairs {
		p, err := selfSigned(int64(i + 1))
		if err != nil {
			return pairs, err
		}
		pairs[i] = p
	}
	return pairs, nil
})

// twoPairs returns two certificates with keys, which do not match each other.
func twoPairs(t *testing.T) (a, b pair) {
	t.Helper()
	pairs, err := testPairs()
	if err != nil {
		t.Fatal(err)
	}
	return pairs[0], pairs[1]
}

func selfSigned(serial int64) (pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return pair{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial),
		Subject:      pkix.Name{CommonName: "test"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return pair{}, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return pair{}, err
	}
	return pair{
		cert: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		key:  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})),
	}, nil
}
