package domain

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// The codes of configuration operations, and the kind in the texts of the
// store.
const (
	CodeCreateConfig int32 = 11900
	codeQueryConfig  int32 = 11901
	codeUpdateConfig int32 = 11902
	codeDeleteConfig int32 = 11903
	codeBatchConfig  int32 = 11904
)

// ConfigObject is the configuration of nodes.
var ConfigObject = server.Object{
	Name: "config", Plural: "configmaps",
	Operations: map[string]server.Operation{
		"config/create":     server.Handle(CodeCreateConfig, Of, createConfig).SinceVersion(hasConfig).OnLite(server.LiteOwn),
		"config/query":      server.Handle(codeQueryConfig, Of, queryConfig).SinceVersion(hasConfig).OnLite(server.LiteOwn),
		"config/update":     server.Handle(codeUpdateConfig, Of, updateConfig).SinceVersion(hasConfig).OnLite(server.LiteOwn),
		"config/delete":     server.Handle(codeDeleteConfig, Of, deleteConfig).SinceVersion(hasConfig).OnLite(server.LiteOwn),
		"config/batchQuery": server.Handle(codeBatchConfig, Of, batchQueryConfig).Data().SinceVersion(hasConfig).OnLite(server.LiteOwn),
	},
	IDFields: []string{"key"},
	Save:     saveConfig,
	Restore:  restoreConfig,
}

// hasConfig reports whether the configuration API exists, since v0.12.
func hasConfig(v server.Version) bool { return v.AtLeast(0, 12) }

// The request messages of the configuration operations.
type (
	// CreateConfigRequest is the body of config/create.
	CreateConfigRequest struct {
		Header *kuscia.RequestHeader `json:"header"`
		Data   []kuscia.ConfigEntry  `json:"data"`
	}
	// UpdateConfigRequest is the body of config/update.
	UpdateConfigRequest CreateConfigRequest
	// QueryConfigRequest is the body of config/query.
	QueryConfigRequest struct {
		Header *kuscia.RequestHeader `json:"header"`
		Key    string                `json:"key"`
	}
	// DeleteConfigRequest is the body of config/delete.
	DeleteConfigRequest struct {
		Header *kuscia.RequestHeader `json:"header"`
		Keys   []string              `json:"keys"`
	}
	// BatchQueryConfigRequest is the body of config/batchQuery.
	BatchQueryConfigRequest DeleteConfigRequest
)

// nodeConfig is the configuration of the nodes of one domain: as stored, and as
// in the node's cache.
type nodeConfig struct {
	entries map[string]string
	cache   map[string]string
	// pending are the writes that the cache does not have yet, in their order: a
	// watch never shows a write before an earlier one.
	pending []*cacheWrite
}

// cacheWrite is a write that the cache gets when it is due.
type cacheWrite struct {
	apply func(to map[string]string)
	due   bool
}

// catchUp applies the writes that are due, up to the first one that is not.
func (c *nodeConfig) catchUp() {
	for len(c.pending) > 0 && c.pending[0].due {
		c.pending[0].apply(c.cache)
		c.pending = c.pending[1:]
	}
}

// configs of all domains; they remain when the domain is deleted.
type configs struct{ byDomain map[string]*nodeConfig }

// configOf is the configuration of a domain, with the key that every node has.
func (w *Domains) configOf(domainID string) *nodeConfig {
	all := server.Stored[configs](w.ControlPlane)
	if all.byDomain == nil {
		all.byDomain = map[string]*nodeConfig{}
	}
	if all.byDomain[domainID] == nil {
		key := encodePublicKey(w.authority().key.Public())
		all.byDomain[domainID] = &nodeConfig{
			entries: map[string]string{kuscia.ReservedConfigKey: key}, cache: map[string]string{kuscia.ReservedConfigKey: key},
		}
	}
	return all.byDomain[domainID]
}

// seen is the value of a key in the cache.
func (c *nodeConfig) seen(key string) string { return c.cache[key] }

// The delay of a node's cache: always a little, in fifths of a step, and
// sometimes long enough for a client to notice.
const (
	cacheFifth   = 5  // a fifth of a step; 2 ms in real time
	cacheLongLag = 15 // 15 steps; 0.15 s
)

// defaultStaleConfig is the share of writes after which clients read old
// values.
const defaultStaleConfig = 0.07

// cacheLag is the delay until a write is in the cache.
func cacheLag(s *server.Node) time.Duration {
	share := s.StaleConfig
	if share == 0 {
		share = defaultStaleConfig
	}
	if s.ControlPlane.Rand.Float64() < share {
		return s.ControlPlane.Steps(cacheLongLag)
	}
	return s.ControlPlane.Timing.Step / cacheFifth
}

// storeConfig writes entries; nil deletes one. The cache follows.
func storeConfig(s *server.Node, c *nodeConfig, changes map[string]*string) {
	apply := func(to map[string]string) {
		for key, value := range changes {
			if value == nil {
				delete(to, key)
			} else {
				to[key] = *value
			}
		}
	}
	apply(c.entries)
	write := &cacheWrite{apply: apply}
	c.pending = append(c.pending, write)
	s.ControlPlane.After(cacheLag(s), func() {
		write.due = true
		c.catchUp()
	})
}

// configLimit is the maximum size of all entries of a node.
const configLimit = 1 << 20

// checkConfigKey is the error for a key, first the server's, then the store's.
func checkConfigKey(key string) string {
	if len(key) > 256 {
		return fmt.Sprintf("key[%s] length is %d bytes and exceed the max length 256 bytes", key, len(key))
	}
	reasons := validation.IsConfigMapKey(key)
	if len(reasons) == 0 {
		return ""
	}
	return fmt.Sprintf("ConfigMap \"domain-config\" is invalid: data[%s]: Invalid value: %q: %s", key, key, reasons[0])
}

// checkConfigData returns the error for the form of a request.
func checkConfigData(data []kuscia.ConfigEntry) string {
	if len(data) == 0 {
		return "request data can't be empty"
	}
	for i, entry := range data {
		if entry.Key == "" {
			return fmt.Sprintf("request data[%d].key can't be empty", i)
		}
	}
	return ""
}

func checkConfigKeys(keys []string) string {
	if len(keys) == 0 {
		return "request keys can't be empty"
	}
	for i, key := range keys {
		if key == "" {
			return fmt.Sprintf("request keys[%d] can't be empty", i)
		}
	}
	return ""
}

func createConfig(_ *Domains, s *server.Node, _ server.Caller, request *CreateConfigRequest) server.Response {
	if complaint := checkConfigData(request.Data); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	c := Of(s.ControlPlane).configOf(s.OwnDomain())
	for _, entry := range request.Data {
		// Only the cache is checked: an entry that was written just before is
		// overwritten.
		if _, taken := c.cache[entry.Key]; taken {
			return server.Refuse(CodeCreateConfig, fmt.Sprintf("request key[%s] already exist, duplicate creation is not allowed", entry.Key))
		}
	}
	return writeConfig(s, c, CodeCreateConfig, request.Data)
}

func updateConfig(_ *Domains, s *server.Node, _ server.Caller, request *UpdateConfigRequest) server.Response {
	if complaint := checkConfigData(request.Data); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	return writeConfig(s, Of(s.ControlPlane).configOf(s.OwnDomain()), codeUpdateConfig, request.Data)
}

func writeConfig(s *server.Node, c *nodeConfig, code int32, data []kuscia.ConfigEntry) server.Response {
	changes := map[string]*string{}
	for _, entry := range data {
		if complaint := checkConfigKey(entry.Key); complaint != "" {
			return server.Refuse(code, complaint)
		}
		changes[entry.Key] = new(entry.Value)
	}
	size := 0
	for key, value := range c.entries {
		if changes[key] == nil {
			size += len(key) + len(value)
		}
	}
	for key, value := range changes {
		size += len(key) + len(*value)
	}
	if size > configLimit {
		return server.Refuse(code, fmt.Sprintf("ConfigMap \"domain-config\" is invalid: []: Too long: may not be more than %d bytes", configLimit))
	}
	storeConfig(s, c, changes)
	return server.Done()
}

func queryConfig(_ *Domains, s *server.Node, _ server.Caller, request *QueryConfigRequest) server.Response {
	a := server.Done()
	if request.Key == "" {
		a = server.Refuse(server.CodeValidate, "request key can't be empty")
	}
	a.Fields = map[string]any{"key": request.Key, "value": Of(s.ControlPlane).configOf(s.OwnDomain()).seen(request.Key)}
	return a
}

func batchQueryConfig(_ *Domains, s *server.Node, _ server.Caller, request *BatchQueryConfigRequest) server.Response {
	if complaint := checkConfigKeys(request.Keys); complaint != "" {
		return server.Response{Code: server.CodeValidate, Message: complaint, Data: []kuscia.ConfigEntry{}}
	}
	c := Of(s.ControlPlane).configOf(s.OwnDomain())
	list := []kuscia.ConfigEntry{}
	seen := map[string]bool{}
	for _, key := range request.Keys {
		if !seen[key] {
			seen[key] = true
			list = append(list, kuscia.ConfigEntry{Key: key, Value: c.seen(key)})
		}
	}
	s.ControlPlane.Rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return server.Result(list)
}

// deleteConfig deletes keys that are in the cache: a key that was written just
// before remains, and the response is success.
func deleteConfig(_ *Domains, s *server.Node, _ server.Caller, request *DeleteConfigRequest) server.Response {
	if complaint := checkConfigKeys(request.Keys); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	c := Of(s.ControlPlane).configOf(s.OwnDomain())
	changes := map[string]*string{}
	for _, key := range request.Keys {
		if _, known := c.cache[key]; known {
			changes[key] = nil
		}
	}
	storeConfig(s, c, changes)
	return server.Done()
}

// savedConfig is the configuration of a domain in the state file.
type savedConfig struct {
	Domain  string            `json:"domain"`
	Entries map[string]string `json:"entries"`
}

func saveConfig(w *server.ControlPlane) any {
	list := []savedConfig{}
	all := server.Stored[configs](w).byDomain
	for _, domainID := range slices.Sorted(maps.Keys(all)) {
		list = append(list, savedConfig{domainID, all[domainID].entries})
	}
	return list
}

func restoreConfig(w *server.ControlPlane, text json.RawMessage) error {
	var list []savedConfig
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	all := server.Stored[configs](w)
	all.byDomain = map[string]*nodeConfig{}
	for _, one := range list {
		all.byDomain[one.Domain] = &nodeConfig{entries: one.Entries, cache: maps.Clone(one.Entries)}
	}
	return nil
}
