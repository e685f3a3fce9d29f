package planconfig

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Kuscias tells the provider configurations of one Kuscia from those of several.
type Kuscias struct {
	first map[string]string // of the configurations with the same address, by each of them
	sole  string
}

// fromEnvironment stands for the address of provider configurations without one: that of KUSCIA_ENDPOINT.
const fromEnvironment = ""

// Kuscias are those of the provider configurations of one provider.
func (c Configuration) Kuscias(provider string) Kuscias {
	k := Kuscias{first: map[string]string{}}
	at := map[string]string{}
	add := func(key, address string) {
		at[address] = cmp.Or(at[address], key)
		k.first[key] = at[address]
	}
	for _, s := range c.Servers(provider) {
		add(s.Provider, normalized(s.Server))
	}
	for _, key := range slices.Sorted(maps.Keys(c.Providers)) {
		if _, has := c.Providers[key].Expressions["endpoint"]; !has && c.Providers[key].isOf(provider) {
			add(key, fromEnvironment)
		}
	}
	found := map[string]bool{}
	for key := range c.keysOf(provider) {
		found[cmp.Or(k.first[key], key)] = true
	}
	if len(found) == 1 {
		k.sole = slices.Collect(maps.Keys(found))[0]
	}
	return k
}

// Of identifies the Kuscia of a provider configuration, "" for one that is not known: the first of the
// configurations with its address.
func (k Kuscias) Of(key string) string { return cmp.Or(k.first[key], key, k.sole) }

// normalized is an address in one spelling.
func normalized(server string) string {
	u, err := url.Parse(strings.TrimSpace(server))
	if err != nil {
		return server
	}
	scheme, port := strings.ToLower(u.Scheme), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") + ":" + port
}
