package kuscia

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Error codes of domains, routes, domain data, data sources, grants,
// configuration and certificates (Kuscia v1.1). classify.go has the others.
const (
	CodeGenerateCertificate       int32 = 2000
	CodeCreateDomain              int32 = 11300
	CodeQueryDomain               int32 = 11301
	CodeQueryDomainStatus         int32 = 11302
	CodeUpdateDomain              int32 = 11303
	CodeDeleteDomain              int32 = 11304
	CodeCreateDomainRoute         int32 = 11400
	CodeQueryDomainRoute          int32 = 11401
	CodeQueryDomainRouteStatus    int32 = 11402
	CodeDeleteDomainRoute         int32 = 11403
	CodeDomainRouteNotExists      int32 = 11404
	CodeDomainRouteExists         int32 = 11405
	CodeCreateDomainData          int32 = 11500
	CodeDeleteDomainData          int32 = 11501
	CodeQueryDomainData           int32 = 11502
	CodeListDomainData            int32 = 11503
	CodeMergeDomainData           int32 = 11504
	CodePatchDomainData           int32 = 11505
	CodeDomainDataNotExists       int32 = 11506
	CodeDomainDataExists          int32 = 11507
	CodeCreateDomainDataGrant     int32 = 11700
	CodeUpdateDomainDataGrant     int32 = 11701
	CodeQueryDomainDataGrant      int32 = 11702
	CodeDeleteDomainDataGrant     int32 = 11703
	CodeDomainDataGrantExists     int32 = 11704
	CodeDomainDataGrantNotExists  int32 = 11705
	CodeCreateDomainDataSource    int32 = 11800
	CodeUpdateDomainDataSource    int32 = 11801
	CodeQueryDomainDataSource     int32 = 11802
	CodeBatchDomainDataSource     int32 = 11803
	CodeDeleteDomainDataSource    int32 = 11804
	CodeDomainDataSourceExists    int32 = 11805
	CodeDomainDataSourceNotExists int32 = 11806
	CodeDomainDataSourceEncode    int32 = 11807
	CodeListDomainDataSource      int32 = 11808
	CodeCreateConfig              int32 = 11900
	CodeQueryConfig               int32 = 11901
	CodeUpdateConfig              int32 = 11902
	CodeDeleteConfig              int32 = 11903
	CodeBatchQueryConfig          int32 = 11904
)

// errorRule maps a code to a kind of error, for a group of operations and the
// messages that match.
type errorRule struct {
	code int32
	// group is the prefix of the names of the operations, "" for all.
	group string
	// fits matches the message, nil for any message.
	fits func(ids []string, message string) bool
	kind error
}

// objectErrorRules are checked in order, before the general rules.
var objectErrorRules = []errorRule{
	{CodeDomainNotExists, "route/", nil, ErrDomainMissing},
	{CodeDomainRouteNotExists, "", nil, ErrNotFound},
	{CodeDomainRouteExists, "", nil, ErrExists},
	{CodeCreateDomainRoute, "", has("should be HTTP or HTTPS or GRPC or GRPCS"), ErrInvalid},

	{CodeDomainDataNotExists, "", nil, ErrNotFound},
	{CodeDomainDataExists, "", nil, ErrExists},
	{CodeDomainDataSourceNotExists, "domaindata/", nil, ErrDataSourceMissing},
	{CodeListDomainData, "", has("expected: "), ErrInvalid},
	{CodeInvalid, "domaindata/", has("kuscia lite api could only operate"), ErrUnauthorized},

	{CodeInvalid, "domaindatasource/", has("master's kuscia api can't operate"), ErrUnsupported},
	{CodeInvalid, "domaindatasource/", isOtherDomain, ErrUnauthorized},
	{CodeQueryDomainDataSource, "", isOtherDomain, ErrUnauthorized},
	{CodeListDomainDataSource, "", isOtherDomain, ErrUnauthorized},
	{CodeDomainDataSourceExists, "", nil, ErrExists},
	{CodeDomainDataSourceNotExists, "", nil, ErrNotFound},
	{CodeCreateDomainDataSource, "", isTakenDataSource, ErrExists},
	{CodeCreateDomainDataSource, "", has("info key and info all empty", "invalid datasource info", "not exist"), ErrInvalid},
	{CodeUpdateDomainDataSource, "", has("invalid datasource type", "doesn't support", "is empty", "should contain", "info is nil", "invalid datasource info"), ErrInvalid},
	{CodeQueryDomainDataSource, "", isMissingDataSource, ErrNotFound},
	{CodeBatchDomainDataSource, "", isMissingDataSource, ErrNotFound},
	{CodeQueryDomainDataSource, "", has("can not be empty"), ErrInvalid},
	{CodeQueryDomainDataSource, "", isUnreadableDataSource, ErrUnreadable},
	{CodeBatchDomainDataSource, "", isUnreadableDataSource, ErrUnreadable},
	{CodeListDomainDataSource, "", isUnreadableDataSource, ErrUnreadable},

	{CodeInvalid, "domaindatagrant/create", isMissingDomainData, ErrDomainDataMissing},
	{CodeDomainDataGrantNotExists, "", nil, ErrNotFound},
	{CodeDomainDataGrantExists, "", nil, ErrExists},
	{CodeCreateDomainDataGrant, "", has(" is exist"), ErrExists},
	{CodeQueryDomainDataGrant, "", has("may not be empty", "may not be set"), ErrInvalid},
	{CodeDeleteDomainDataGrant, "", has("may not be empty", "may not be set"), ErrInvalid},

	{CodeCreateConfig, "", has("already exist, duplicate creation"), ErrExists},
	{CodeCreateConfig, "", has("exceed the max length"), ErrInvalid},
	{CodeUpdateConfig, "", has("exceed the max length"), ErrInvalid},

	{CodeGenerateCertificate, "certificate/", nil, ErrInvalid},
}

// objectError returns the kind of an error of these objects, nil if no rule
// matches.
func objectError(op httpapi.Operation, ids []string, code int32, message string) error {
	for _, rule := range objectErrorRules {
		if rule.code == code && strings.HasPrefix(op.Name, rule.group) && (rule.fits == nil || rule.fits(ids, message)) {
			return rule.kind
		}
	}
	return nil
}

// has matches messages that contain any of the parts.
func has(parts ...string) func([]string, string) bool {
	return func(_ []string, message string) bool { return containsAny(message, parts) }
}

// isOtherDomain matches the error of a node for a request on behalf of another
// domain.
func isOtherDomain(_ []string, message string) bool {
	return strings.HasPrefix(message, "domain ") && strings.Contains(message, " can't operate domain ")
}

// isMissingDataSource matches the message only if it names one of the requested
// data sources.
func isMissingDataSource(ids []string, message string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		return strings.HasSuffix(message, "domaindatasources.kuscia.secretflow "+strconv.Quote(lastPart(id))+" not found")
	})
}

func isTakenDataSource(ids []string, message string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		return message == "domain data source "+lastPart(id)+" already exist"
	})
}

const missingInfoText = "missing datasource info for"

// HasNoInfo reports whether an error means that a data source has neither a key
// nor its own information.
func HasNoInfo(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Is(ErrUnreadable) && strings.HasPrefix(e.Message, missingInfoText)
}

// isUnreadableDataSource matches the messages for a data source whose
// information cannot be read: it was never stored, or the configuration entry
// of its key is not JSON of the expected type.
func isUnreadableDataSource(_ []string, message string) bool {
	return slices.ContainsFunc([]string{missingInfoText, "unexpected end of JSON input", "invalid character ", "json: cannot unmarshal "},
		func(begin string) bool { return strings.HasPrefix(message, begin) })
}

func isMissingDomainData(_ []string, message string) bool {
	return strings.HasPrefix(message, "domaindata [") && strings.HasSuffix(message, "] not exists")
}

// lastPart returns the object's own id in "domain/object".
func lastPart(id string) string {
	return id[strings.LastIndex(id, "/")+1:]
}
