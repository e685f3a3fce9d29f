package domain

import (
	"fmt"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The codes of configuration operations.
const (
	CodeCreateConfig int32 = 11900
	codeQueryConfig  int32 = 11901
	codeUpdateConfig int32 = 11902
	codeDeleteConfig int32 = 11903
	codeBatchConfig  int32 = 11904
)

// ConfigObject is the configuration of nodes.
var ConfigObject = server.Object{
	Name: "config", Kind: objects.KindOf[objects.ConfigMap](), Table: server.AsTable[objects.ConfigMap],
	Operations: map[string]server.Operation{
		"config/create":     server.Handle(CodeCreateConfig, Of, createConfig).Since(versions.ConfigAPI).OnLite(server.LiteOwn),
		"config/query":      server.Handle(codeQueryConfig, Of, queryConfig).Since(versions.ConfigAPI).OnLite(server.LiteOwn),
		"config/update":     server.Handle(codeUpdateConfig, Of, updateConfig).Since(versions.ConfigAPI).OnLite(server.LiteOwn),
		"config/delete":     server.Handle(codeDeleteConfig, Of, deleteConfig).Since(versions.ConfigAPI).OnLite(server.LiteOwn),
		"config/batchQuery": server.Handle(codeBatchConfig, Of, batchQueryConfig).Data().Since(versions.ConfigAPI).OnLite(server.LiteOwn),
	},
	IDFields: []string{"key"},
}

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

// configCache is what a domain's node has seen of its configuration.
type configCache struct {
	domain string
	data   map[string]string // encrypted
	// upToDate is when the last write is in it: a watch never shows a write before an
	// earlier one.
	upToDate time.Time
	// lag is the delay of the write that is being made.
	lag time.Duration
}

// seen is the value of a key in the cache, "" for none.
func (c *configCache) seen(key string) (string, error) {
	if c.data[key] == "" {
		return "", nil
	}
	return objects.Decrypt(c.domain, c.data[key])
}

// configChanged brings the cache of a node up to date, some time after a write.
func (w *Domains) configChanged(_, after *objects.ConfigMap) {
	if after == nil || after.Name != objects.DomainConfig {
		return
	}
	c := w.caches[after.Namespace]
	if c == nil {
		w.caches[after.Namespace] = &configCache{domain: after.Namespace, data: after.Data, lag: w.cacheStep()}
		return
	}
	if at := w.Now().Add(c.lag); at.After(c.upToDate) {
		c.upToDate = at
	}
	w.After(c.upToDate.Sub(w.Now()), func() { c.data = after.Data })
}

// configOf is the cache of a domain's node, whose configuration has the key that every node
// has.
func (w *Domains) configOf(domainID string) *configCache {
	if w.caches[domainID] == nil {
		w.storedConfig(domainID) // which is noticed
	}
	if w.caches[domainID] == nil {
		w.caches[domainID] = &configCache{domain: domainID, lag: w.cacheStep()} // the store does not respond
	}
	return w.caches[domainID]
}

// ConfigEntry is what the node of a domain has for a key of its configuration, "" for nothing.
// known is false for a partner's, which is elsewhere.
func (w *Domains) ConfigEntry(domainID, key string) (value string, known bool) {
	if w.IsPartner(domainID) {
		return "", false
	}
	data := map[string]string{}
	if c := w.caches[domainID]; c != nil {
		data = c.data
	} else if stored := w.configs.Get(domainID, objects.DomainConfig); stored != nil {
		data = stored.Data
	}
	return objects.ConfigEntry(domainID, data, key), true
}

// storedConfig is the configuration of a domain's node, nil if the store does not respond.
func (w *Domains) storedConfig(domainID string) *objects.ConfigMap {
	if there := w.configs.Get(domainID, objects.DomainConfig); there != nil {
		return there
	}
	made := &objects.ConfigMap{
		Meta: objects.Meta{Namespace: domainID, Name: objects.DomainConfig, Labels: map[string]string{objects.LabelDomain: domainID}},
		Data: map[string]string{kuscia.ReservedConfigKey: objects.Encrypt(domainID, encodePublicKey(w.authority().key.Public()))},
	}
	if err := w.configs.Create(made); err != nil {
		return w.configs.Get(domainID, objects.DomainConfig) // another client was faster
	}
	return made
}

// The delay of a node's cache: always a little, in fifths of a step, and
// sometimes long enough for a client to notice.
const (
	cacheFifth   = 5  // a fifth of a step; 2 ms in real time
	cacheLongLag = 15 // 15 steps; 0.15 s
)

// defaultStaleConfig is the share of writes after which clients read old
// values.
const defaultStaleConfig = 0.07

// cacheStep is the delay until a write is in the cache, if it is short.
func (w *Domains) cacheStep() time.Duration { return w.Timing.Step / cacheFifth }

// cacheLag is the delay until a write is in the cache.
func (w *Domains) cacheLag(s *server.Node) time.Duration {
	share := s.StaleConfig
	if share == 0 {
		share = defaultStaleConfig
	}
	if w.Rand.Float64() < share {
		return w.Steps(cacheLongLag)
	}
	return w.cacheStep()
}

// storeConfig changes entries of a node's configuration, which its cache follows.
func (w *Domains) storeConfig(s *server.Node, code int32, change func(data map[string]string)) server.Response {
	c := w.configOf(s.OwnDomain())
	stored := w.storedConfig(s.OwnDomain())
	if stored == nil {
		return server.Done() // the failure of the store is the response
	}
	stored.Data = maps.Clone(stored.Data)
	change(stored.Data)
	c.lag = w.cacheLag(s)
	defer func() { c.lag = w.cacheStep() }()
	return server.StoreCodes{}.DoneUnless(code, w.configs.Update(stored))
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

func createConfig(w *Domains, s *server.Node, _ server.Caller, request *CreateConfigRequest) server.Response {
	if complaint := checkConfigData(request.Data); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	c := w.configOf(s.OwnDomain())
	for _, entry := range request.Data {
		// Only the cache is checked: an entry that was written just before is
		// overwritten.
		if _, taken := c.data[entry.Key]; taken {
			return server.Refuse(CodeCreateConfig, fmt.Sprintf("request key[%s] already exist, duplicate creation is not allowed", entry.Key))
		}
	}
	return w.writeConfig(s, CodeCreateConfig, request.Data)
}

func updateConfig(w *Domains, s *server.Node, _ server.Caller, request *UpdateConfigRequest) server.Response {
	if complaint := checkConfigData(request.Data); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	return w.writeConfig(s, codeUpdateConfig, request.Data)
}

func (w *Domains) writeConfig(s *server.Node, code int32, data []kuscia.ConfigEntry) server.Response {
	changes, size := map[string]string{}, 0
	for _, entry := range data {
		if complaint := checkConfigKey(entry.Key); complaint != "" {
			return server.Refuse(code, complaint)
		}
		changes[entry.Key] = entry.Value
	}
	domainID := s.OwnDomain()
	if stored := w.storedConfig(domainID); stored != nil {
		for key, encrypted := range stored.Data {
			if _, replaced := changes[key]; !replaced {
				value, _ := objects.Decrypt(domainID, encrypted) // one that cannot be read counts as empty
				size += len(key) + len(value)
			}
		}
	}
	for key, value := range changes {
		size += len(key) + len(value)
	}
	if size > configLimit {
		return server.Refuse(code, fmt.Sprintf("ConfigMap \"domain-config\" is invalid: []: Too long: may not be more than %d bytes", configLimit))
	}
	return w.storeConfig(s, code, func(stored map[string]string) {
		for key, value := range changes {
			stored[key] = objects.Encrypt(domainID, value)
		}
	})
}

func queryConfig(w *Domains, s *server.Node, _ server.Caller, request *QueryConfigRequest) server.Response {
	value, err := w.configOf(s.OwnDomain()).seen(request.Key)
	a := server.StoreCodes{}.DoneUnless(codeQueryConfig, err)
	if request.Key == "" {
		a = server.Refuse(server.CodeValidate, "request key can't be empty")
	}
	a.Fields = map[string]any{"key": request.Key, "value": value}
	return a
}

func batchQueryConfig(w *Domains, s *server.Node, _ server.Caller, request *BatchQueryConfigRequest) server.Response {
	refuse := func(code int32, complaint string) server.Response {
		return server.Response{Code: code, Message: complaint, Data: []kuscia.ConfigEntry{}}
	}
	if complaint := checkConfigKeys(request.Keys); complaint != "" {
		return refuse(server.CodeValidate, complaint)
	}
	c := w.configOf(s.OwnDomain())
	list := []kuscia.ConfigEntry{}
	seen := map[string]bool{}
	for _, key := range request.Keys {
		if seen[key] {
			continue
		}
		seen[key] = true
		value, err := c.seen(key)
		if err != nil {
			return refuse(codeBatchConfig, err.Error())
		}
		list = append(list, kuscia.ConfigEntry{Key: key, Value: value})
	}
	w.Rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return server.Result(list)
}

// deleteConfig deletes keys that are in the cache: a key that was written just
// before remains, and the response is success.
func deleteConfig(w *Domains, s *server.Node, _ server.Caller, request *DeleteConfigRequest) server.Response {
	if complaint := checkConfigKeys(request.Keys); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	c := w.configOf(s.OwnDomain())
	return w.storeConfig(s, codeDeleteConfig, func(stored map[string]string) {
		for _, key := range request.Keys {
			if _, known := c.data[key]; known {
				delete(stored, key)
			}
		}
	})
}
