package domain

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// checkInfo returns the error for the information of a type; unparsed reports
// that its fields were not checked.
func checkInfo(kind string, info *kuscia.DataSourceInfo) (complaint string, unparsed bool) {
	type field struct{ name, value string }
	var fields []field
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
		if info.Database == nil {
			return "parse data source failed, invalid datasource info", true
		}
		if kind == kuscia.DataSourceDameng {
			fields = []field{{"endpoint", info.Database.Endpoint}, {"database", info.Database.Database}}
		}
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

// normaliseInfo removes slashes as the server does.
func normaliseInfo(info *kuscia.DataSourceInfo) *kuscia.DataSourceInfo {
	normal := *info
	if info.LocalFS != nil {
		normal.LocalFS = &kuscia.LocalFSInfo{Path: strings.TrimRight(info.LocalFS.Path, "/")}
	}
	if info.OSS != nil {
		oss := *info.OSS
		oss.Bucket, oss.Prefix = strings.Trim(oss.Bucket, "/"), strings.Trim(oss.Prefix, "/")
		normal.OSS = &oss
	}
	return &normal
}

// infoBehindKey reads the information of a data source from the configuration
// of the node.
func infoBehindKey(s *server.Node, kind, key string) (*kuscia.DataSourceInfo, error) {
	value := []byte(Of(s.ControlPlane).configOf(s.OwnDomain()).seen(key))
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
func showSource(s *server.Node, r *cluster.Record[SourceSpec]) (kuscia.DomainDataSource, error) {
	shown := kuscia.DomainDataSource{
		DomainID: r.Namespace, DataSourceID: r.Name, Name: r.Spec.Name, Type: r.Spec.Type,
		InfoKey: r.Spec.InfoKey, AccessDirectly: r.Spec.AccessDirectly,
	}
	if s.NodeDomain() == "" {
		return shown, nil
	}
	if r.Spec.InfoKey != "" {
		info, err := infoBehindKey(s, r.Spec.Type, r.Spec.InfoKey)
		shown.Info = info
		return shown, err
	}
	if r.Spec.Info == nil {
		return shown, errors.New("missing datasource info for " + r.Spec.Name)
	}
	shown.Info = r.Spec.Info
	return shown, nil
}

func findSource(s *server.Node, domainID, id string) (kuscia.DomainDataSource, error) {
	if complaint := sourceReadable(s, domainID); complaint != "" {
		return kuscia.DomainDataSource{}, errors.New(complaint)
	}
	if id == "" {
		return kuscia.DomainDataSource{}, fmt.Errorf("domain %s data source id can not be empty", domainID)
	}
	r := server.TableOf[SourceSpec](s.ControlPlane).Get(domainID, id)
	if r == nil {
		return kuscia.DomainDataSource{}, fmt.Errorf("get domain %s kuscia data source %s failed, %s", domainID, id, server.LookupError(KindSources, id))
	}
	return showSource(s, r)
}

func querySource(_ *Domains, s *server.Node, _ server.Caller, request *QueryDomainDataSourceRequest) server.Response {
	shown, err := findSource(s, request.DomainID, request.DatasourceID)
	if err != nil {
		return server.Refuse(codeQuerySource, err.Error())
	}
	return server.Result(shown)
}

// sourceList is the data of a batch and of a list.
type sourceList struct {
	List []kuscia.DomainDataSource `json:"datasource_list"`
}

func batchQuerySources(_ *Domains, s *server.Node, _ server.Caller, request *BatchQueryDomainDataSourceRequest) server.Response {
	if len(request.Data) == 0 {
		return server.Refuse(server.CodeValidate, "request data can't be empty")
	}
	list := sourceList{List: []kuscia.DomainDataSource{}}
	for _, key := range request.Data {
		shown, err := findSource(s, key.DomainID, key.DataSourceID)
		if err != nil {
			return server.Refuse(codeBatchSource, err.Error())
		}
		list.List = append(list.List, shown)
	}
	return server.Result(list)
}

func listSources(_ *Domains, s *server.Node, _ server.Caller, request *ListDomainDataSourceRequest) server.Response {
	if request.DomainID == "" {
		return server.Refuse(server.CodeValidate, "request domainID can't be empty")
	}
	if complaint := sourceReadable(s, request.DomainID); complaint != "" {
		return server.Refuse(codeListSource, complaint)
	}
	list := sourceList{List: []kuscia.DomainDataSource{}}
	for _, r := range server.TableOf[SourceSpec](s.ControlPlane).In(request.DomainID) {
		shown, err := showSource(s, r)
		if err != nil {
			return server.Refuse(codeListSource, err.Error())
		}
		list.List = append(list.List, shown)
	}
	return server.Result(list)
}
