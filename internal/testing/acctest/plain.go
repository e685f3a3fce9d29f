package acctest

import "strings"

var frame = strings.NewReplacer("│", " ", "╷", " ", "╵", " ")

// Plain is a CLI's output without its frame and line breaks.
func Plain(output string) string {
	return strings.Join(strings.Fields(frame.Replace(output)), " ")
}
