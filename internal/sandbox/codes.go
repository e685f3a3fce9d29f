package sandbox

// The status codes of KusciaAPI that the sandbox answers with.
const (
	codeSuccess         int32 = 0
	codeValidate        int32 = 11100
	codeUnexpected      int32 = 11101
	codeAuthFailed      int32 = 11102
	codeMasterFailed    int32 = 11103
	codeLiteUnsupported int32 = 11104
	codeCreateDomain    int32 = 11300
	codeQueryDomain     int32 = 11301
	codeDomainStatus    int32 = 11302
	codeUpdateDomain    int32 = 11303
	codeDeleteDomain    int32 = 11304
	codeDomainUnknown   int32 = 11305
	codeDomainExists    int32 = 11306
	codeCreateServing   int32 = 11600
	codeQueryServing    int32 = 11601
	codeServingStatus   int32 = 11602
	codeUpdateServing   int32 = 11603
	codeDeleteServing   int32 = 11604
	codeCreateAppImage  int32 = 13100
	codeQueryAppImage   int32 = 13101
	codeUpdateAppImage  int32 = 13102
	codeDeleteAppImage  int32 = 13103
	codeBatchAppImages  int32 = 13104
	codeAppImageGone    int32 = 13105
	codeAppImageExists  int32 = 13106
	codeListAppImages   int32 = 13107
)

const successMessage = "success"
