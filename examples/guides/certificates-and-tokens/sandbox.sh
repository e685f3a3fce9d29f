# Takes certificates of the sandbox for those of the partner and of the client:
# . ./sandbox.sh
certs=/tmp/kuscia-sandbox

# line FILE: prints a file with \n for its line breaks.
line() { awk '{ printf "%s\\n", $0 }' "$1"; }

TF_VAR_client_certificate=$(cat "$certs/kusciaapi-server.crt")
TF_VAR_client_key=$(cat "$certs/kusciaapi-server.key")
TF_VAR_carol="{ domain_certificate = \"$(line "$certs/kusciaapi-server.crt")\", ca_certificate = \"$(line "$certs/ca.crt")\" }"
export TF_VAR_client_certificate TF_VAR_client_key TF_VAR_carol
