package engine

import "math/rand/v2"

const (
	letters   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	hexDigits = "0123456789abcdef"
)

// RandomText returns a text of letters and digits.
func RandomText(rng *rand.Rand, length int) string { return pick(rng, letters, length) }

// RandomHex returns a text of 32 hexadecimal digits.
func RandomHex(rng *rand.Rand) string { return pick(rng, hexDigits, 32) }

func pick(rng *rand.Rand, from string, length int) string {
	text := make([]byte, length)
	for i := range text {
		text[i] = from[rng.IntN(len(from))]
	}
	return string(text)
}
