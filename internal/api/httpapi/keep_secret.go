package httpapi

import (
	"context"
	"slices"
)

type keepSecretKey struct{}

// KeepSecret returns a context whose calls keep a text, such as a
// serving_input_config, out of errors and logs also where the request does not
// carry it, but the server knows it and might name it.
func KeepSecret(ctx context.Context, text string) context.Context {
	if len(text) < minMaskedText {
		return ctx
	}
	before, _ := ctx.Value(keepSecretKey{}).([]string)
	return context.WithValue(ctx, keepSecretKey{}, append(before[:len(before):len(before)], text))
}

// secretsIn are the texts that KeepSecret was given.
func secretsIn(ctx context.Context) []string {
	texts, _ := ctx.Value(keepSecretKey{}).([]string)
	return texts
}

// KeepSecretsOf returns a context that keeps what others keep, too: one request
// may be about the objects of several callers.
func KeepSecretsOf(ctx context.Context, others []context.Context) context.Context {
	var all []string
	for _, other := range append([]context.Context{ctx}, others...) {
		all = append(all, secretsIn(other)...)
	}
	if len(all) == 0 {
		return ctx
	}
	slices.Sort(all)
	return context.WithValue(ctx, keepSecretKey{}, slices.Compact(all))
}

// KeepsSecrets reports whether KeepSecret gave anything to a context.
func KeepsSecrets(ctx context.Context) bool { return len(secretsIn(ctx)) > 0 }

// MaskerOf knows the texts that KeepSecret gave to a context.
func MaskerOf(ctx context.Context) Masker { return Masker{}.With(secretsIn(ctx)...) }
