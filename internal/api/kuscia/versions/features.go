package versions

// KusciaAPISANs are further names in the certificate of the KusciaAPI.
var KusciaAPISANs = since("v1.1.0b0", Source, "kuscia-api-sans", "kusciaAPISans in kuscia.yaml, for names in the certificate of the KusciaAPI")

// Servings and their Deployments.
var (
	Servings              = detail("v0.4.0b0", Source, "servings", "A serving")
	NamedEndpoints        = since("v0.5.0.dev231215", Source, "named-endpoints", "A named endpoint")
	LongServingIDs        = since("v0.6.0b0", Tried, "long-serving-ids", "A serving_id that makes names of more than 63 characters")
	ServingIDDigits       = since("v0.8.0b0", Source, "serving-id-digits", "A serving_id that begins with a digit")
	PortAllocation        = since("v0.9.0b0", Source, "port-allocation", "A port without a number")
	OptionalServingConfig = since("v0.11.0b0", Tried, "optional-serving-config", "A serving without serving_input_config")
	ServiceNamePrefix     = since("v0.11.0b0", Tried, "service-name-prefix", "service_name_prefix")
	AffinityMode          = since("v1.1.0b0", Tried, "affinity-mode", "affinity_mode")

	// NamespacedDeployments: before, KusciaDeployments belong to no namespace.
	NamespacedDeployments = since("v0.6.0b0", Tried, "namespaced-deployments", "A KusciaDeployment in a namespace")

	ServingIDCheck       = detail("v0.6.0b0", Tried, "serving-id-check", "The check of a serving_id")
	BatchStatusSkips     = detail("v0.11.0b0", Tried, "batch-status-skips", "A batch status that leaves out unknown ids")
	ServingExistsCheck   = detail("v0.11.0b0", Tried, "serving-exists-check", "The check whether a serving exists")
	ServingErrorCodes    = detail("v0.11.0b0", Tried, "serving-error-codes", "Errors of strategies and resources with the code of the operation")
	ServingErrorTexts    = detail("v0.11.0b0", Tried, "serving-error-texts", "The texts of errors about parties")
	PrefixedHashes       = detail("v0.11.0b0", Tried, "prefixed-hashes", "A hash before the port in the names of Services")
	HashedServiceNames   = detail("v0.8.0b0", Source, "hashed-service-names", "Names of Services that begin with that of the serving")
	EmptyPartiesWait     = detail("v0.6.0b0", Tried, "empty-parties-wait", "A party without pods that is not available")
	PodReasons           = detail("v0.15.0b0", Source, "pod-reasons", "The reason of waiting pods in the status of a serving")
	VerbatimTemplateKeys = detail("v0.11.0b0", Source, "verbatim-template-keys", "A key in three braces in a config template, whose value is not escaped")
	ConfigInTemplates    = detail("v0.12.0b0", Source, "config-in-templates", "Entries of the configuration of a domain in config templates")
	AnyPartyProgressing  = since("v0.15.0b0", Source, "any-party-progressing", "A state of a serving that follows all its parties")
)

// Errors of all operations.
var (
	ErrorsInStatus = detail("v0.10.0b0", Source, "errors-in-status", "Errors of the framework in a status")
	NameErrorTexts = detail("v0.11.0b0", Tried, "name-error-texts", "Double quotes in errors about names")
)

// App images.
var (
	ImageIDs     = since("v0.6.0b0", Tried, "image-ids", "The id and the signature of an image")
	AppImageAPI  = since("v0.13.0b0", Tried, "app-image-api", "The AppImage API")
	AppImageList = since("v1.0.0b0", Tried, "app-image-list", "The list of app images")
)

// Domains.
var (
	MasterDomainID    = since("v0.6.0b0", Tried, "master-domain-id", "master_domain_id of a domain")
	PEMCertificates   = since("v0.10.0b0", Source, "pem-certificates", "A certificate of a domain that is PEM and not base64")
	DomainIDCheck     = detail("v0.6.0b0", Source, "domain-id-check", "The check of a domain_id")
	CertificateCheck  = detail("v0.7.0b0", Source, "certificate-check", "The check of the certificate of a domain")
	ReservedDomainID  = detail("v0.10.0b0", Source, "reserved-domain-id", "The refusal of a domain with the id master")
	DomainIDSpelling  = detail("v0.12.0b0", Source, "domain-id-spelling", "The name domain_id in errors")
	PartnerTokens     = detail("v0.12.0b0", Source, "partner-tokens", "A partner without a deploy token")
	RandomTokenRoutes = detail("v1.1.0b0", Tried, "random-token-routes", "A deploy token for a domain with RAND-GEN")
	DomainUpdateKeeps = since("v0.12.0b0", Tried, "domain-update-keeps", "An update of a domain that keeps its certificate, labels and annotations")
	AuthCenterDefault = since("v0.14.0b0", Source, "auth-center-default", "Token and RSA-GEN as the default of auth_center")
)

// Routes.
var (
	RouteWithoutToken   = since("v0.6.0b0", Tried, "route-without-token", "A route with the authentication MTLS or None")
	RouteBodyEncryption = since("v0.9.0b0", Source, "route-body-encryption", "body_encryption of a route")
	RoutePathPrefix     = since("v0.9.0b0", Source, "route-path-prefix", "path_prefix of a route")
	RouteRollingUpdate  = since("v0.9.0b0", Source, "route-rolling-update", "rolling_update_period of a route")
	RouteTransit        = since("v0.9.0b0", Source, "route-transit", "The attribute transit of a route")
	RouteDomainCheck    = detail("v0.6.0b0", Source, "route-domain-check", "The check of the domains of a route")
	RouteTokenConfig    = detail("v0.6.0b0", Source, "route-token-config", "The default of token_config of a route")
	RouteReason         = detail("v0.11.0b0", Source, "route-reason", "The reason in the status of a route")
	RouteTLSStored      = detail("v0.8.0b0", Source, "route-tls-stored", "A stored is_tls of a route")
	RoutePortCheck      = detail("v0.14.0b0", Source, "route-port-check", "The check of the ports of a route")
	RouteHostCheck      = detail("v1.0.0b0", Tried, "route-host-check", "The check of the host of a route")
	RouteTLS            = since("v0.12.0b0", Tried, "route-tls", "is_tls of a route")
)

// Data.
var (
	GrantIDs          = since("v0.6.0b0", Tried, "grant-ids", "A grant whose id can be chosen")
	DataSourceList    = since("v0.9.0b0", Source, "data-source-list", "The list of data sources")
	MasterDataSources = since("v0.9.0b0", Source, "master-data-sources", "Reading data sources through the master")
	TypeODPS          = since("v0.11.0b0", Tried, "type-odps", "The type odps of data sources")
	TypePostgreSQL    = since("v0.13.0b0", Tried, "type-postgresql", "The type postgresql of data sources")
	TypeHive          = since("v1.0.0b0", Tried, "type-hive", "The type hive of data sources")
	TypeDameng        = since("v1.1.0b0-1-g0", Source, "type-dameng", "The type dameng of data sources")
	DataSourceChecks  = detail("v0.11.0b0", Source, "data-source-checks", "The check of the fields of a data source")
	PostgreSQLNamed   = detail("v0.15.0b0", Source, "postgresql-named", "The name postgresql in errors")
	UncheckedDatabase = detail("v1.0.0b0", Tried, "unchecked-database", "A data source of a database without fields")
	MasterDeletesRaw  = detail("v1.1.0b0", Tried, "master-deletes-raw", "Deleting the file of domain data through the master")
	DataReferences    = detail("v0.12.0b0", Source, "data-references", "The check of the data source of domain data")
	GrantErrorTexts   = detail("v0.11.0b0", Source, "grant-error-texts", "The texts of errors about grants")
	GrantBatchErrors  = detail("v0.11.0b0", Source, "grant-batch-errors", "Errors of a batch of grants")
	DeleteDataAndRaw  = detail("v1.0.0b0", Tried, "delete-data-and-raw", "Deleting domain data with its file")
)

// ConfigAPI is the API of kuscia_config.
var ConfigAPI = since("v0.12.0b0", Tried, "config-api", "The configuration API")
