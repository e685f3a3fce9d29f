package party

import "fmt"

// maxConfigText is the longest input_config that a container can get: Kuscia puts it
// into the environment variable INPUT_CONFIG, and Linux with pages of 4 KiB starts no
// process with more than 128 KiB in one variable, including its name and a final zero.
// Kuscia itself stores longer texts.
const maxConfigText = 128<<10 - len(envInputConfig+"=") - 1

// describeConfigSize describes why an input_config is too large for a container; "" if
// it is not.
func describeConfigSize(text string) string {
	if len(text) <= maxConfigText {
		return ""
	}
	return fmt.Sprintf("The text has %d bytes. Kuscia passes it to the containers in the environment variable INPUT_CONFIG, and on most nodes Linux cannot start a process with more than %d bytes in it: Kuscia stores it, but the pods crash. Keep large parts in a file or a data source that the application reads.", len(text), maxConfigText)
}
