package kuscia

import (
	"fmt"
	"strconv"
	"strings"
)

// Int64 is a 64-bit integer that the server writes as a JSON string and
// accepts as string or number.
type Int64 int64

// MarshalJSON writes the number as a JSON string, as the server does.
func (i Int64) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, strconv.FormatInt(int64(i), 10)), nil
}

// UnmarshalJSON reads a JSON number, a string that holds one, or null (0).
func (i *Int64) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	if text == "null" || text == "" {
		*i = 0
		return nil
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("not a 64-bit integer: %q", text)
	}
	*i = Int64(value)
	return nil
}
