package sandbox

// The codes that operations of all objects answer; an object has its own beside
// its operations.
const (
	codeSuccess         int32 = 0
	codeValidate        int32 = 11100
	codeUnexpected      int32 = 11101
	codeAuthFailed      int32 = 11102
	codeMasterFailed    int32 = 11103
	codeLiteUnsupported int32 = 11104
)

const successMessage = "success"
