package httpapi

import "context"

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
