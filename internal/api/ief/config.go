package ief

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Config says how to reach IEF.
type Config struct {
	// Endpoint is the address, such as https://ief.cn-north-4.myhuaweicloud.com.
	Endpoint string
	// ProjectID is the project of the region; it is a part of every path.
	ProjectID string
	// InstanceID is the service instance used unless a call names another one.
	InstanceID string
	// AccessKey and SecretKey sign requests; a temporary pair comes with a
	// SecurityToken. Token is sent in their place.
	AccessKey, SecretKey, SecurityToken, Token string
	UserAgent                                  string
	// RequestTimeout bounds each try; 0 is 30 s.
	RequestTimeout time.Duration
	// MaxRetries is how often a request is tried again.
	MaxRetries int
}

// Regions are those for which the vendor's SDK knows an endpoint. Others may
// exist.
var Regions = []string{"cn-east-2", "cn-east-3", "cn-north-1", "cn-north-4", "cn-south-1"}

// EndpointOf is the endpoint of a region.
func EndpointOf(region string) string { return "https://ief." + region + ".myhuaweicloud.com" }

var (
	// ProjectIDFormat is the form of a project's id.
	ProjectIDFormat = regexp.MustCompile(`^[0-9a-zA-Z_-]{1,64}$`)
	// RegionFormat is the form of a region's name.
	RegionFormat = regexp.MustCompile(`^[a-z]{2}(-[a-z0-9]+)+$`)
)

// ParseEndpoint checks an address. Without TLS only this machine is allowed,
// for a stand-in: a token would go over the network in the clear.
func ParseEndpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "":
		return nil, errors.New("this is no address; write https:// and the host, for example " + EndpointOf("cn-north-4"))
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "":
		return nil, errors.New("only scheme, host and port are allowed, without user, path and query")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, errors.New("http:// is allowed for this machine only, since nothing protects the credentials; use https://")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("the scheme %q is not https", u.Scheme)
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host}, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Validate checks a configuration as a whole.
func (c Config) Validate() error {
	if _, err := ParseEndpoint(c.Endpoint); err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	if !ProjectIDFormat.MatchString(c.ProjectID) {
		return errors.New("the id of the project is missing or is no id")
	}
	for name, value := range map[string]string{
		"access key": c.AccessKey, "secret key": c.SecretKey, "security token": c.SecurityToken, "token": c.Token, "instance id": c.InstanceID,
	} {
		if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			return fmt.Errorf("the %s has white space or control characters in it, which a header cannot carry", name)
		}
	}
	switch {
	case c.Token != "" && (c.AccessKey != "" || c.SecretKey != ""):
		return errors.New("there are a token and an access key; one of the two is enough")
	case c.Token == "" && (c.AccessKey == "" || c.SecretKey == ""):
		return errors.New("an access key and its secret key are needed, or a token")
	}
	return nil
}

// secrets are the texts that no error and no log may show.
func (c Config) secrets() []string {
	return []string{c.SecretKey, c.SecurityToken, c.Token, c.AccessKey}
}
