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

// Config configures a Client.
type Config struct {
	// Endpoint is the address, such as https://ief.cn-north-4.myhuaweicloud.com.
	Endpoint string
	// ProjectID is the project of the region, a part of every path.
	ProjectID string
	// InstanceID is the default service instance.
	InstanceID string
	// AccessKey and SecretKey sign requests; temporary keys have a
	// SecurityToken. Token is an alternative to the three.
	AccessKey, SecretKey, SecurityToken, Token string
	UserAgent                                  string
	// RequestTimeout is the time limit of an attempt; 0 means 30 s.
	RequestTimeout time.Duration
	// MaxRetries is how often a transient failure is repeated.
	MaxRetries int
}

// Regions are the regions with an endpoint in the vendor's SDK. There may be
// others.
var Regions = []string{"cn-east-2", "cn-east-3", "cn-north-1", "cn-north-4", "cn-south-1"}

// EndpointOf is the endpoint of a region.
func EndpointOf(region string) string { return "https://ief." + region + ".myhuaweicloud.com" }

var (
	// ProjectIDFormat matches project ids.
	ProjectIDFormat = regexp.MustCompile(`^[0-9a-zA-Z_-]{1,64}$`)
	// RegionFormat matches region names.
	RegionFormat = regexp.MustCompile(`^[a-z]{2}(-[a-z0-9]+)+$`)
)

// ParseEndpoint checks an address. Without TLS only loopback addresses are
// allowed, for tests, since the token would be sent in clear text.
func ParseEndpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "":
		return nil, errors.New("this is not an address; use https:// and the host, for example " + EndpointOf("cn-north-4"))
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "":
		return nil, errors.New("only scheme, host and port are allowed, without user, path and query")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, errors.New("http:// is allowed only for the local machine, since the credentials are not protected; use https://")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("the scheme %q is not https", u.Scheme)
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host}, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Validate checks a configuration.
func (c Config) Validate() error {
	if _, err := ParseEndpoint(c.Endpoint); err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	if !ProjectIDFormat.MatchString(c.ProjectID) {
		return errors.New("the project ID is missing or invalid")
	}
	for name, value := range map[string]string{
		"access key": c.AccessKey, "secret key": c.SecretKey, "security token": c.SecurityToken, "token": c.Token, "instance ID": c.InstanceID,
	} {
		if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			return fmt.Errorf("the %s has white space or control characters in it, which a header must not contain", name)
		}
	}
	switch {
	case c.Token != "" && (c.AccessKey != "" || c.SecretKey != ""):
		return errors.New("both a token and an access key are set; set only one of them")
	case c.Token == "" && (c.AccessKey == "" || c.SecretKey == ""):
		return errors.New("an access key and its secret key are needed, or a token")
	}
	return nil
}

// secrets are the texts that are masked in errors and logs.
func (c Config) secrets() []string {
	return []string{c.SecretKey, c.SecurityToken, c.Token, c.AccessKey}
}
