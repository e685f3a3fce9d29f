package domain

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// checkInfo returns the error for the information of a type; unparsed reports
// that its fields were not checked.
func checkInfo(version versions.Version, kind string, info *kuscia.DataSourceInfo) (complaint string, unparsed bool) {
	type field struct{ name, value string }
	var fields []field
	if !version.Has(versions.DataSourceChecks) {
		return checkParts(kind, info)
	}
	switch kind {
	case kuscia.DataSourceLocalFS:
		if info.LocalFS == nil {
			return "localfs info is nil", false
		}
		fields = []field{{"path", info.LocalFS.Path}}
	case kuscia.DataSourceOSS:
		if info.OSS == nil {
			return "oss info is nil", false
		}
		fields = []field{
			{"endpoint", info.OSS.Endpoint}, {"bucket", info.OSS.Bucket},
			{"access_key_id", info.OSS.AccessKeyID}, {"access_key_secret", info.OSS.AccessKeySecret},
		}
	case kuscia.DataSourceODPS:
		if info.ODPS == nil {
			return "odps info is nil", false
		}
		fields = []field{
			{"endpoint", info.ODPS.Endpoint}, {"project", info.ODPS.Project},
			{"access_key_id", info.ODPS.AccessKeyID}, {"access_key_secret", info.ODPS.AccessKeySecret},
		}
	default:
		checked := kind == kuscia.DataSourceDameng || !version.Has(versions.UncheckedDatabase)
		if info.Database == nil && checked && kind != kuscia.DataSourceDameng {
			return kind + " info is nil", false
		}
		if info.Database == nil {
			return invalidInfo, true
		}
		if checked {
			fields = []field{{"endpoint", info.Database.Endpoint}, {"database", info.Database.Database}}
		}
	}
	if kind == kuscia.DataSourcePostgreSQL && !version.Has(versions.PostgreSQLNamed) {
		kind = "postgres"
	}
	for _, f := range fields {
		if f.value == "" {
			return fmt.Sprintf("%s '%s' is empty", kind, f.name), false
		}
	}
	if kind == kuscia.DataSourceODPS && !strings.HasPrefix(info.ODPS.Endpoint, "http://") && !strings.HasPrefix(info.ODPS.Endpoint, "https://") {
		return "odps 'endpoint' is invalid, should contain the prefix: http or https", false
	}
	return "", false
}

// invalidInfo is the error for information of another type.
const invalidInfo = "parse data source failed, invalid datasource info"

// checkParts is checkInfo of versions that check no fields.
func checkParts(kind string, info *kuscia.DataSourceInfo) (complaint string, unparsed bool) {
	there := map[string]bool{kuscia.DataSourceLocalFS: info.LocalFS != nil, kuscia.DataSourceOSS: info.OSS != nil, kuscia.DataSourceMySQL: info.Database != nil}
	if there[kind] {
		return "", false
	}
	return invalidInfo, true
}

// setInfo stores information without outer slashes, as the server does, and encrypted: each
// write is a change.
func setInfo(source *objects.DomainDataSource, info *kuscia.DataSourceInfo) {
	normal := *info
	if info.LocalFS != nil {
		normal.LocalFS = &kuscia.LocalFSInfo{Path: strings.TrimRight(info.LocalFS.Path, "/")}
	}
	if info.OSS != nil {
		oss := *info.OSS
		oss.Bucket, oss.Prefix = strings.Trim(oss.Bucket, "/"), strings.Trim(oss.Prefix, "/")
		normal.OSS = &oss
	}
	text, _ := json.Marshal(normal) // texts and truth values
	source.Spec.Data = map[string]string{objects.EncryptedInfo: objects.Encrypt(source.Namespace, string(text))}
	source.Spec.URI = uri(source.Spec.Type, &normal)
}

// uri is the address of the data that the store shows, without secrets.
func uri(kind string, info *kuscia.DataSourceInfo) string {
	switch {
	case kind == kuscia.DataSourceLocalFS && info.LocalFS != nil:
		return info.LocalFS.Path
	case kind == kuscia.DataSourceOSS && info.OSS != nil:
		return path.Join(info.OSS.Bucket, info.OSS.Prefix)
	case kind == kuscia.DataSourceODPS && info.ODPS != nil:
		return info.ODPS.Endpoint + "/" + info.ODPS.Project
	}
	return ""
}

// infoBehindKey reads the information of a data source from the configuration
// of the node.
func infoBehindKey(s *server.Node, kind, key string) (*kuscia.DataSourceInfo, error) {
	text, err := Of(s.ControlPlane).configOf(s.OwnDomain()).seen(key)
	if err != nil {
		return nil, err
	}
	value := []byte(text)
	info := &kuscia.DataSourceInfo{}
	var target any
	switch kind {
	case kuscia.DataSourceLocalFS:
		info.LocalFS = &kuscia.LocalFSInfo{}
		target = info.LocalFS
	case kuscia.DataSourceOSS:
		info.OSS = &kuscia.OSSInfo{}
		target = info.OSS
	case kuscia.DataSourceODPS:
		info.ODPS = &kuscia.ODPSInfo{}
		target = info.ODPS
	default:
		info.Database = &kuscia.DatabaseInfo{}
		target = info.Database
	}
	if err := json.Unmarshal(value, target); err != nil {
		return nil, errors.New(err.Error())
	}
	return info, nil
}

// showSource is the data source as this server returns it; its own node fails
// if the information cannot be read.
func showSource(s *server.Node, source *objects.DomainDataSource) (shown kuscia.DomainDataSource, err error) {
	shown = kuscia.DomainDataSource{
		DomainID: source.Namespace, DataSourceID: source.Name, Name: source.Spec.Name, Type: source.Spec.Type,
		InfoKey: source.Spec.InfoKey, AccessDirectly: source.Spec.AccessDirectly,
	}
	if s.NodeDomain() == "" {
		return shown, nil
	}
	if source.Spec.InfoKey != "" && !s.ControlPlane.Version.Has(versions.ConfigAPI) {
		return shown, errNoConfig
	}
	if source.Spec.InfoKey != "" {
		shown.Info, err = infoBehindKey(s, source.Spec.Type, source.Spec.InfoKey)
		return shown, err
	}
	if source.Spec.Data[objects.EncryptedInfo] == "" {
		return shown, errors.New("missing datasource info for " + source.Spec.Name)
	}
	text, err := objects.Decrypt(source.Namespace, source.Spec.Data[objects.EncryptedInfo])
	if err == nil {
		err = json.Unmarshal([]byte(text), &shown.Info)
	}
	return shown, err
}

func findSource(w *Domains, s *server.Node, domainID, id string) (kuscia.DomainDataSource, error) {
	if complaint := sourceReadable(s, domainID); complaint != "" {
		return kuscia.DomainDataSource{}, errors.New(complaint)
	}
	if id == "" {
		return kuscia.DomainDataSource{}, fmt.Errorf("domain %s data source id can not be empty", domainID)
	}
	source := w.sources.Get(domainID, id)
	if source == nil {
		return kuscia.DomainDataSource{}, fmt.Errorf("get domain %s kuscia data source %s failed, %w", domainID, id, sourceKind.Missing(id))
	}
	return showSource(s, source)
}

// errNoConfig is a crash: a version without configuration cannot read what is behind a key.
var errNoConfig = errors.New(nilDereference.Message)

func querySource(w *Domains, s *server.Node, _ server.Caller, request *QueryDomainDataSourceRequest) server.Response {
	shown, err := findSource(w, s, request.DomainID, request.DatasourceID)
	if errors.Is(err, errNoConfig) {
		return nilDereference
	}
	if err != nil {
		return server.Refuse(codeQuerySource, err.Error())
	}
	return server.Result(shown)
}

// sourceList is the data of a batch and of a list.
type sourceList struct {
	List []kuscia.DomainDataSource `json:"datasource_list"`
}

func batchQuerySources(w *Domains, s *server.Node, _ server.Caller, request *BatchQueryDomainDataSourceRequest) server.Response {
	if len(request.Data) == 0 {
		return server.Refuse(server.CodeValidate, "request data can't be empty")
	}
	list := sourceList{List: []kuscia.DomainDataSource{}}
	for _, key := range request.Data {
		shown, err := findSource(w, s, key.DomainID, key.DataSourceID)
		if errors.Is(err, errNoConfig) {
			return nilDereference
		}
		if err != nil {
			return server.Refuse(codeBatchSource, err.Error())
		}
		list.List = append(list.List, shown)
	}
	return server.Result(list)
}

func listSources(w *Domains, s *server.Node, _ server.Caller, request *ListDomainDataSourceRequest) server.Response {
	if request.DomainID == "" {
		return server.Refuse(server.CodeValidate, "request domainID can't be empty")
	}
	if complaint := sourceReadable(s, request.DomainID); complaint != "" {
		return server.Refuse(codeListSource, complaint)
	}
	list := sourceList{List: []kuscia.DomainDataSource{}}
	for _, source := range w.sources.List(request.DomainID) {
		shown, err := showSource(s, source)
		if errors.Is(err, errNoConfig) {
			return nilDereference
		}
		if err != nil {
			return server.Refuse(codeListSource, err.Error())
		}
		list.List = append(list.List, shown)
	}
	return server.Result(list)
}
