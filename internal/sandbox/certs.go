package sandbox

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// The file names in a certificates folder, as in /home/kuscia/var/certs.
const (
	fileToken      = "token"
	fileCA         = "ca.crt"
	fileCAKey      = "ca.key"
	fileServerCert = "kusciaapi-server.crt"
	fileServerKey  = "kusciaapi-server.key"
)

const tokenLength = 32

// prepareCerts fills the certificates folder: what is there is used, what is
// missing is made.
func (s *Sandbox) prepareCerts() error {
	dir := s.options.CertsDir
	if dir == "" {
		temporary, err := os.MkdirTemp("", "kuscia-sandbox-")
		if err != nil {
			return fmt.Errorf("making the certificates folder: %w", err)
		}
		dir, s.removeCerts = temporary, true
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the certificates folder: %w", err)
	}
	s.certsDir = dir
	if err := s.prepareToken(); err != nil {
		return err
	}
	_, err := os.Stat(filepath.Join(dir, fileServerCert))
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking for certificates: %w", err)
	}
	pair, err := makeCertificates()
	if err != nil {
		return err
	}
	return pair.write(dir)
}

func (s *Sandbox) prepareToken() error {
	path := filepath.Join(s.certsDir, fileToken)
	if s.options.Token == "" {
		existing, err := os.ReadFile(path)
		if err == nil {
			s.token = strings.TrimSpace(string(existing))
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reading the token: %w", err)
		}
		s.token = RandomText(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), tokenLength)
	} else {
		s.token = s.options.Token
	}
	if err := os.WriteFile(path, []byte(s.token), 0o600); err != nil {
		return fmt.Errorf("writing the token: %w", err)
	}
	return nil
}

// serverTLS loads the folder for the server. With client authentication any
// certificate signed by the CA is good.
func serverTLS(dir string, clients bool) (*tls.Config, error) {
	cert, err := tls.LoadX509KeyPair(filepath.Join(dir, fileServerCert), filepath.Join(dir, fileServerKey))
	if err != nil {
		return nil, fmt.Errorf("loading the server certificate: %w", err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	if !clients {
		return config, nil
	}
	ca, err := os.ReadFile(filepath.Join(dir, fileCA))
	if err != nil {
		return nil, fmt.Errorf("loading the CA: %w", err)
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("%s holds no certificate", filepath.Join(dir, fileCA))
	}
	config.ClientAuth = tls.RequireAndVerifyClientCert
	return config, nil
}
