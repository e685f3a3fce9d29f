package objects

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"errors"
)

// The store has values of configurations and information of data sources encrypted for the
// node of their domain. Nodes have no keys here: a key follows from the id of the domain, so
// that several servers and a restarted one can read what is stored.

func sealOf(domainID string) cipher.AEAD {
	key := sha256.Sum256([]byte("kuscia-sandbox " + domainID))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // the length of the key is right
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // the cipher is that of AES
	}
	return seal
}

// Encrypt encrypts a text for the node of a domain, each time in another form.
func Encrypt(domainID, text string) string {
	return base64.StdEncoding.EncodeToString(sealOf(domainID).Seal(nil, nil, []byte(text), nil)) //nolint:gosec // it chooses a random nonce itself
}

// Decrypt is the reverse of Encrypt.
func Decrypt(domainID, encrypted string) (string, error) {
	sealed, err := base64.StdEncoding.DecodeString(encrypted)
	if err != nil {
		return "", err
	}
	text, err := sealOf(domainID).Open(nil, nil, sealed, nil)
	if err != nil {
		return "", errors.New("crypto/rsa: decryption error")
	}
	return string(text), nil
}

// DomainConfig is the name of the ConfigMap with the configuration of a domain's nodes. It
// remains when the domain is deleted.
const DomainConfig = "domain-config"

// ConfigEntry is the value of a key of a DomainConfig, "" for one that is missing or that the
// node of the domain cannot read.
func ConfigEntry(domainID string, data map[string]string, key string) string {
	if data[key] == "" {
		return ""
	}
	value, _ := Decrypt(domainID, data[key])
	return value
}
