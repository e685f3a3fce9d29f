package datasource

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// toWire reads a planned data source. Info is nil where no block is given.
func toWire(r definition.Reader) *kuscia.DomainDataSource {
	source := &kuscia.DomainDataSource{
		DomainID: r.Text(attrDomainID), DataSourceID: r.Text(attrDataSourceID), Type: r.Text(attrType), Name: r.Text(attrName),
		AccessDirectly: r.Bool(attrAccess), InfoKey: r.Text(attrInfoKey),
	}
	var info kuscia.DataSourceInfo
	if block, ok := r.Object(attrLocalFS); ok {
		info.LocalFS = &kuscia.LocalFSInfo{Path: block.Text(attrPath)}
	}
	if block, ok := r.Object(attrOSS); ok {
		info.OSS = &kuscia.OSSInfo{
			Endpoint: block.Text(attrEndpoint), Bucket: block.Text(attrBucket), Prefix: block.Text("prefix"),
			AccessKeyID: block.Text(attrKeyID), AccessKeySecret: block.Text(attrKeySecret),
			Virtualhost: block.Bool("virtualhost"), Version: block.Text("version"), StorageType: block.Text("storage_type"),
		}
	}
	if block, ok := r.Object(attrDatabase); ok {
		info.Database = &kuscia.DatabaseInfo{
			Endpoint: block.Text(attrEndpoint), User: block.Text("user"), Password: block.Text("password"), Database: block.Text(attrDatabase),
		}
	}
	if block, ok := r.Object(attrODPS); ok {
		info.ODPS = &kuscia.ODPSInfo{
			Endpoint: block.Text(attrEndpoint), Project: block.Text(attrProject),
			AccessKeyID: block.Text(attrKeyID), AccessKeySecret: block.Text(attrKeySecret),
		}
	}
	if info != (kuscia.DataSourceInfo{}) {
		source.Info = &info
	}
	return source
}

// request is the body of a create. Info beside a key would be ignored, so that
// check refuses it.
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

// updates are the bodies that make a data source what is desired, in their
// order. From a key, also one that nobody knows, to own information there are two:
// the key still wins in the first, which would be ignored if it had an empty key
// with it.
func updates(desired, before *kuscia.DomainDataSource) []*kuscia.DomainDataSourceRequest {
	list := []*kuscia.DomainDataSourceRequest{request(desired)}
	if desired.InfoKey == "" && before.Info == nil {
		none := ""
		list = append(list, &kuscia.DomainDataSourceRequest{DomainID: desired.DomainID, DataSourceID: desired.DataSourceID, InfoKey: &none})
	}
	return list
}

// fromWire is the tree of an answer. What comes from behind a key is not the
// data source's own.
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
