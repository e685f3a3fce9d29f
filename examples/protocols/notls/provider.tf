# With protocol NOTLS there are no certificates, and Kuscia checks no token.
provider "kuscia" {
  endpoint = "http://kuscia.example:8082"
}
