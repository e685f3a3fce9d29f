package datasource

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// toWire converts a planned data source. Info is nil if no block is set.
func toWire(r definition.Reader) *kuscia.DomainDataSource {
	source := &kuscia.DomainDataSource{
		DomainID: r.String(attrDomainID), DataSourceID: r.String(attrDataSourceID), Type: r.String(attrType), Name: r.String(attrName),
		AccessDirectly: r.Bool(attrAccess), InfoKey: r.String(attrInfoKey),
	}
	var info kuscia.DataSourceInfo
	if block, ok := r.Object(attrLocalFS); ok {
		info.LocalFS = &kuscia.LocalFSInfo{Path: block.String(attrPath)}
	}
	if block, ok := r.Object(attrOSS); ok {
		info.OSS = &kuscia.OSSInfo{
			Endpoint: block.String(attrEndpoint), Bucket: block.String(attrBucket), Prefix: block.String("prefix"),
			AccessKeyID: block.String(attrKeyID), AccessKeySecret: block.String(attrKeySecret),
			Virtualhost: block.Bool("virtualhost"), Version: block.String("version"), StorageType: block.String("storage_type"),
		}
	}
	if block, ok := r.Object(attrDatabase); ok {
		info.Database = &kuscia.DatabaseInfo{
			Endpoint: block.String(attrEndpoint), User: block.String("user"), Password: block.String("password"), Database: block.String(attrDatabase),
		}
	}
	if block, ok := r.Object(attrODPS); ok {
		info.ODPS = &kuscia.ODPSInfo{
			Endpoint: block.String(attrEndpoint), Project: block.String(attrProject),
			AccessKeyID: block.String(attrKeyID), AccessKeySecret: block.String(attrKeySecret),
		}
	}
	if info != (kuscia.DataSourceInfo{}) {
		source.Info = &info
	}
	return source
}

// request returns the body of a create. Kuscia would ignore info next to a key,
// so that check rejects both.
func request(source *kuscia.DomainDataSource) *kuscia.DomainDataSourceRequest {
	body := &kuscia.DomainDataSourceRequest{
		DomainID: source.DomainID, DataSourceID: source.DataSourceID, Type: source.Type, Name: &source.Name, AccessDirectly: &source.AccessDirectly,
	}
	if source.InfoKey != "" {
		body.InfoKey = &source.InfoKey
	} else {
		body.Info = source.Info
	}
	return body
}

// updates returns the bodies that update a data source to the desired one, in
// order. A change from a key, even an unknown one, to the data source's own
// information takes two: the key takes precedence over the information in the
// first, and Kuscia would ignore the information if the same body had an empty
// key.
func updates(desired, before *kuscia.DomainDataSource) []*kuscia.DomainDataSourceRequest {
	list := []*kuscia.DomainDataSourceRequest{request(desired)}
	if desired.InfoKey == "" && before.Info == nil {
		none := ""
		list = append(list, &kuscia.DomainDataSourceRequest{DomainID: desired.DomainID, DataSourceID: desired.DataSourceID, InfoKey: &none})
	}
	return list
}

// fromWire converts a response. Information that comes from a key is not part
// of the data source.
func fromWire(source *kuscia.DomainDataSource) definition.Tree {
	tree := definition.Tree{
		attrDomainID: source.DomainID, attrDataSourceID: source.DataSourceID, attrType: source.Type, attrName: source.Name,
		attrAccess: source.AccessDirectly, attrInfoKey: source.InfoKey,
	}
	info := source.Info
	if info == nil || source.InfoKey != "" {
		return tree
	}
	if info.LocalFS != nil {
		tree[attrLocalFS] = definition.Tree{attrPath: info.LocalFS.Path}
	}
	if o := info.OSS; o != nil {
		tree[attrOSS] = definition.Tree{
			attrEndpoint: o.Endpoint, attrBucket: o.Bucket, "prefix": o.Prefix, "virtualhost": o.Virtualhost, "version": o.Version,
			"storage_type": o.StorageType, attrKeyID: o.AccessKeyID, attrKeySecret: o.AccessKeySecret,
		}
	}
	if d := info.Database; d != nil {
		tree[attrDatabase] = definition.Tree{attrEndpoint: d.Endpoint, "user": d.User, "password": d.Password, attrDatabase: d.Database}
	}
	if o := info.ODPS; o != nil {
		tree[attrODPS] = definition.Tree{
			attrEndpoint: o.Endpoint, attrProject: o.Project, attrKeyID: o.AccessKeyID, attrKeySecret: o.AccessKeySecret,
		}
	}
	return tree
}
