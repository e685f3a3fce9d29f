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

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

const tokenLength = 32

// prepareCerts uses the files in the certificates folder and creates missing
// ones.
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
	_, err := os.Stat(filepath.Join(dir, server.FileServerCert))
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking for certificates: %w", err)
	}
	pair, err := server.MakeCertificates()
	if err != nil {
		return err
	}
	return pair.Write(dir)
}

func (s *Sandbox) prepareToken() error {
	path := filepath.Join(s.certsDir, server.FileToken)
	if s.options.Token == "" {
		existing, err := os.ReadFile(path)
		if err == nil {
			s.token = strings.TrimSpace(string(existing))
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reading the token: %w", err)
		}
		s.token = engine.RandomText(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), tokenLength)
	} else {
		s.token = s.options.Token
	}
	if err := os.WriteFile(path, []byte(s.token), 0o600); err != nil {
		return fmt.Errorf("writing the token: %w", err)
	}
	return nil
}

// serverTLS loads the certificates of the server. With client authentication,
// any certificate signed by the CA is accepted.
func serverTLS(dir string, clients bool) (*tls.Config, error) {
	cert, err := tls.LoadX509KeyPair(filepath.Join(dir, server.FileServerCert), filepath.Join(dir, server.FileServerKey))
	if err != nil {
		return nil, fmt.Errorf("loading the server certificate: %w", err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	if !clients {
		return config, nil
	}
	ca, err := os.ReadFile(filepath.Join(dir, server.FileCA))
	if err != nil {
		return nil, fmt.Errorf("loading the CA: %w", err)
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("%s holds no certificate", filepath.Join(dir, server.FileCA))
	}
	config.ClientAuth = tls.RequireAndVerifyClientCert
	return config, nil
}
