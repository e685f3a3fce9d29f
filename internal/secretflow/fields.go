package secretflow

// kind is the type of a field, as protobuf's JSON parser reads it.
type kind int

const (
	isString kind = iota
	isInt32
	isBool
	isEnum
	isMessage
	isMap // of strings to the type of of
	isAny // whatever its type, the application refuses what it is in
)

// field is a field of the configuration text.
type field struct {
	// name is the name in JSON, proto the other name that the parser takes.
	name, proto string
	kind        kind
	// of is the type of a message, or of the values of a map; nil: strings.
	of *message
	// values are those of an enumeration.
	values *enum
	// repeated is set for a list.
	repeated bool
	// oneof names a group of which one field may be set.
	oneof string
	// versions are those that have the field.
	versions Versions
}

// message is a type of the configuration, with its name in protobuf.
type message struct {
	name   string
	fields []field
	byName map[string]*field
	// secret is set if the values may be secrets.
	secret bool
}

// enum is an enumeration.
type enum struct {
	name   string
	values []enumValue
}

// enumValue is a value of an enumeration, with the versions that have it.
type enumValue struct {
	name     string
	number   int32
	versions Versions
}

// newMessage returns a message of fields.
func newMessage(name string, fields ...field) *message {
	m := &message{name: "secretflow.serving." + name, fields: fields, byName: make(map[string]*field, 2*len(fields))}
	for i := range m.fields {
		f := &m.fields[i]
		f.proto = snakeCase(f.name)
		if f.versions == 0 {
			f.versions = allVersions
		}
		m.byName[f.name], m.byName[f.proto] = f, f
	}
	return m
}

// secret marks a message whose values may be secrets.
func secret(m *message) *message {
	m.secret = true
	return m
}

// newEnum returns an enumeration of values in the order of their numbers, from 0.
func newEnum(name string, values ...enumValue) *enum {
	for i := range values {
		values[i].number = int32(i)
		if values[i].versions == 0 {
			values[i].versions = allVersions
		}
	}
	return &enum{"secretflow.serving." + name, values}
}

// snakeCase returns the name of a field in protobuf.
func snakeCase(name string) string {
	var out []byte
	for i := range len(name) {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			out = append(out, '_', c+'a'-'A')
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

func text(name string) field    { return field{name: name, kind: isString} }
func number(name string) field  { return field{name: name, kind: isInt32} }
func boolean(name string) field { return field{name: name, kind: isBool} }

func object(name string, of *message) field {
	return field{name: name, kind: isMessage, of: of}
}

func choice(name string, values *enum) field {
	return field{name: name, kind: isEnum, values: values}
}

func list(f field) field {
	f.repeated = true
	return f
}

// in puts a field into a group of which one may be set.
func in(oneof string, f field) field {
	f.oneof = oneof
	return f
}

// from says since when a field exists.
func from(minor int, f field) field {
	f.versions = since(minor)
	return f
}

// The names of fields and values that rules refer to.
const (
	fieldPartyConfigs  = "partyConfigs"
	fieldPredictors    = "predictorParties"
	fieldServer        = "serverConfig"
	fieldServicePort   = "servicePort"
	fieldMapping       = "featureMapping"
	fieldModel         = "modelConfig"
	fieldModelID       = "modelId"
	fieldSourcePath    = "sourcePath"
	fieldSourceType    = "sourceType"
	fieldOSSMeta       = "ossSourceMeta"
	fieldFeatures      = "featureSourceConfig"
	fieldMock          = "mockOpts"
	fieldHTTP          = "httpOpts"
	fieldCSV           = "csvOpts"
	fieldStreaming     = "streamingOpts"
	fieldEndpoint      = "endpoint"
	fieldFilePath      = "filePath"
	fieldChannel       = "channelDesc"
	fieldProtocol      = "protocol"
	groupFeatureSource = "options"
	groupModelSource   = "kind"
)

var (
	tlsConfig = secret(newMessage("TlsConfig", text("certificatePath"), text("privateKeyPath"), text("caFilePath")))

	sourceTypes = newEnum("SourceType",
		enumValue{name: "INVALID_SOURCE_TYPE"}, enumValue{name: "ST_FILE"}, enumValue{name: "ST_OSS"},
		enumValue{name: "ST_HTTP", versions: since(3)}, enumValue{name: "ST_DP", versions: since(6)})

	retryPolicy = newMessage("RetryPolicyConfig",
		boolean("retryCustom"), boolean("retryAggressive"), number("maxRetryCount"),
		choice("backoffMode", newEnum("RetryPolicyBackOffMode",
			enumValue{name: "INVALID_MODE"}, enumValue{name: "FIXED_BACKOFF"}, enumValue{name: "EXPONENTIAL_BACKOFF"}, enumValue{name: "RANDOM_BACKOFF"})),
		in("config", object("fixedBackoffConfig", newMessage("FixedBackOffConfig", number("intervalMs")))),
		in("config", object("exponentialBackoffConfig", newMessage("ExponentialBackOffConfig", number("initMs"), number("factor")))),
		in("config", object("randomBackoffConfig", newMessage("RandomBackOffConfig", number("minMs"), number("maxMs")))))

	serverConfig = newMessage("ServerConfig",
		field{name: fieldMapping, kind: isMap},
		text("host"), number(fieldServicePort), number("communicationPort"), number("brpcBuiltinServicePort"), number("metricsExposerPort"),
		number("workerNum"), number("maxConcurrency"), number("opExecWorkerNum"), object("tlsConfig", tlsConfig))

	ossSource  = secret(newMessage("OSSSourceMeta", text("accessKey"), text("secretKey"), boolean("virtualHosted"), text("endpoint"), text("bucket")))
	httpSource = newMessage("HttpSourceMeta", number("connectTimeoutMs"), number("timeoutMs"), object("tlsConfig", tlsConfig))

	modelConfig = newMessage("ModelConfig",
		text(fieldModelID), text("basePath"), text(fieldSourcePath), text("sourceSha256"), choice(fieldSourceType, sourceTypes),
		in(groupModelSource, object("fileSourceMeta", newMessage("FileSourceMeta"))),
		in(groupModelSource, object(fieldOSSMeta, ossSource)),
		from(3, in(groupModelSource, object("httpSourceMeta", httpSource))),
		from(6, in(groupModelSource, object("dpSourceMeta", newMessage("DPSourceMeta", text("dmHost"), object("tlsConfig", tlsConfig))))))

	featureSource = newMessage("FeatureSourceConfig",
		in(groupFeatureSource, object(fieldMock, newMessage("MockOptions",
			choice("type", newEnum("MockDataType", enumValue{name: "INVALID_MOCK_DATA_TYPE"}, enumValue{name: "MDT_RANDOM"}, enumValue{name: "MDT_FIXED"}))))),
		in(groupFeatureSource, object(fieldHTTP, newMessage("HttpOptions",
			text(fieldEndpoint), boolean("enableLb"), number("connectTimeoutMs"), number("timeoutMs"), object("tlsConfig", tlsConfig),
			from(6, object("retryPolicyConfig", retryPolicy))))),
		in(groupFeatureSource, object(fieldCSV, newMessage("CsvOptions",
			text(fieldFilePath), text("idName"), from(7, boolean("streamingMode")), from(7, number("blockSize"))))),
		from(7, in(groupFeatureSource, object(fieldStreaming, newMessage("StreamingOptions",
			text(fieldFilePath), field{name: "fileFormat", kind: isAny}, text("idName"), number("blockSize"))))))

	channelDesc = newMessage("ChannelDesc",
		text(fieldProtocol), number("rpcTimeoutMs"), number("connectTimeoutMs"), object("tlsConfig", tlsConfig),
		number("handshakeMaxRetryCnt"), number("handshakeRetryIntervalMs"), from(6, object("retryPolicyConfig", retryPolicy)))

	partyConfig = newMessage("kuscia.PartyConfig",
		object(fieldServer, serverConfig), object(fieldModel, modelConfig), object(fieldFeatures, featureSource), object(fieldChannel, channelDesc))

	// servingConfig is the configuration text.
	servingConfig = newMessage("kuscia.KusciaServingConfig",
		field{name: fieldPartyConfigs, kind: isMap, of: partyConfig},
		from(8, list(text(fieldPredictors))))
)
