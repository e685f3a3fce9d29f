# Protocol NOTLS: no certificates, and Kuscia looks at no token.
provider "kuscia" {
  endpoint = "http://kuscia.example:8082"
}
