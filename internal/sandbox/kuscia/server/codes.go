package server

// The codes that operations of all objects return; each object has more in its
// package.
const (
	CodeSuccess         int32 = 0
	CodeValidate        int32 = 11100
	codeUnexpected      int32 = 11101
	CodeAuthFailed      int32 = 11102
	codeMasterFailed    int32 = 11103
	codeLiteUnsupported int32 = 11104
)

// SuccessMessage is the message of every success.
const SuccessMessage = "success"
