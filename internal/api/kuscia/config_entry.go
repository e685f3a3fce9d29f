package kuscia

import (
	"context"
	"errors"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Error codes of configuration entries (since Kuscia v0.12).
const (
	CodeCreateConfig     int32 = 11900
	CodeQueryConfig      int32 = 11901
	CodeUpdateConfig     int32 = 11902
	CodeDeleteConfig     int32 = 11903
	CodeBatchQueryConfig int32 = 11904
)

var (
	opCreateConfig     = register(operation{Operation: confidential(create("config/create")), code: CodeCreateConfig})
	opQueryConfig      = register(operation{Operation: confidential(post("config/query")), code: CodeQueryConfig, flat: true})
	opUpdateConfig     = register(operation{Operation: confidential(update("config/update")), code: CodeUpdateConfig})
	opDeleteConfig     = register(operation{Operation: confidential(update("config/delete")), code: CodeDeleteConfig})
	opBatchQueryConfig = register(operation{Operation: confidential(post("config/batchQuery")), code: CodeBatchQueryConfig})
)

var _ = errorRules.add(
	errorRule{code: CodeCreateConfig, fits: has("already exist, duplicate creation"), kind: ErrExists},
	errorRule{code: CodeCreateConfig, fits: has("exceed the max length"), kind: ErrInvalid},
	errorRule{code: CodeUpdateConfig, fits: has("exceed the max length"), kind: ErrInvalid},
)

// ReservedConfigKey is the entry with the node's own public key. The server
// lets any client overwrite and delete it.
const ReservedConfigKey = "domain-public-key"

// ConfigEntry is a key and value of the configuration of one node: the one of
// the endpoint (since Kuscia v0.12). The server stores values encrypted and
// returns them in clear text.
//
// A node responds from a cache that is up to 0.2 s old. So a query after a
// write may return the old value, a create may overwrite an entry that was
// written just before, and a delete right after the write of a new key may be
// lost although it succeeds.
type ConfigEntry struct {
	// Key has up to 253 letters, digits, -, _ and ., and does not begin with
	// two dots.
	Key string `json:"key"`
	// Value "" cannot be distinguished from a missing entry. All entries of a
	// node together have less than 1 MiB.
	Value string `json:"value"`
}

// CreateConfig creates entries, all or none. It returns ErrExists if one of the
// keys exists. Parallel creates of one key all succeed. If a key is twice in
// the request, the last one is stored.
func (c *Client) CreateConfig(ctx context.Context, entries ...ConfigEntry) error {
	return c.writeConfig(ctx, opCreateConfig, entries)
}

// UpdateConfig sets entries, including those that do not exist.
func (c *Client) UpdateConfig(ctx context.Context, entries ...ConfigEntry) error {
	return c.writeConfig(ctx, opUpdateConfig, entries)
}

func (c *Client) writeConfig(ctx context.Context, op operation, entries []ConfigEntry) error {
	keys, values := make([]string, len(entries)), make([]string, len(entries))
	for i, entry := range entries {
		keys[i], values[i] = entry.Key, entry.Value
	}
	_, err := c.do(ctx, op, keys, &configEntriesRequest{Header: c.header(nil), Data: entries}, values...)
	return err
}

// QueryConfig returns the value of a key, "" if it does not exist.
func (c *Client) QueryConfig(ctx context.Context, key string) (string, error) {
	var out struct {
		Key   string  `json:"key"`
		Value *string `json:"value"`
	}
	if err := c.read(ctx, opQueryConfig, []string{key}, &configKeyRequest{Header: c.header(nil), Key: key}, &out, func() error {
		if out.Key != key {
			return fmt.Errorf("the response is for the key %q", httpapi.Text(out.Key))
		}
		if out.Value == nil {
			// Kuscia returns "" for a missing entry.
			return errors.New("the response has no value")
		}
		return nil
	}); err != nil {
		return "", err
	}
	return *out.Value, nil
}

// BatchQueryConfig returns the entries of keys, in random order, each once,
// with "" for keys that do not exist.
func (c *Client) BatchQueryConfig(ctx context.Context, keys []string) ([]ConfigEntry, error) {
	var out []ConfigEntry
	if err := c.read(ctx, opBatchQueryConfig, keys, &configKeysRequest{Header: c.header(nil), Keys: keys}, &out, func() error {
		return hasList(out != nil, "entries")
	}); err != nil {
		return nil, err
	}
	return out, nil
}

// DeleteConfig deletes entries. Missing keys are not an error.
func (c *Client) DeleteConfig(ctx context.Context, keys ...string) error {
	_, err := c.do(ctx, opDeleteConfig, keys, &configKeysRequest{Header: c.header(nil), Keys: keys})
	return err
}

type configEntriesRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	Data   []ConfigEntry  `json:"data"`
}

type configKeyRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	Key    string         `json:"key"`
}

type configKeysRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	Keys   []string       `json:"keys"`
}
