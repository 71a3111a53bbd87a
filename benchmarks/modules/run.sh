#!/usr/bin/env bash
# usage: run.sh OUT [TIMEOUT] [MODULE@VERSION[=PACKAGES]...]
# Downloads popular Go modules to OUT, verifies each, and prints what the stages of points-to took, and how many pairs are decided.
set -u
out=$(mkdir -p "$1" && cd "$1" && pwd)
time=${2:-120s}
whoop=$(cd "$(dirname "$0")/../.." && pwd)/bin/whoop
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- github.com/hashicorp/go-hclog@v1.6.3 github.com/nsqio/go-nsq@v1.1.0 \
  github.com/gin-gonic/gin@v1.9.1=. go.uber.org/zap@v1.27.0=. github.com/sirupsen/logrus@v1.9.3=. \
  github.com/gorilla/websocket@v1.5.3=. github.com/spf13/viper@v1.12.0 github.com/hashicorp/memberlist@v0.5.0 \
  github.com/hashicorp/raft@v1.3.9=. github.com/prometheus/client_golang@v1.20.5=./prometheus \
  github.com/segmentio/kafka-go@v0.4.46=. github.com/valyala/fasthttp@v1.34.0=. github.com/nats-io/nats.go@v1.43.0=. \
  github.com/redis/go-redis/v9@v9.5.1=. github.com/dgraph-io/ristretto@v0.1.0=. go.etcd.io/bbolt@v1.3.10=.
for m; do
  name=${m%%=*} packages=./...
  [ "$name" = "$m" ] || packages=${m#*=}
  dir=$out/${name//\//_}
  if [ ! -d "$dir" ]; then
    from=$(cd "$out" && go mod download -json "$name" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
    [ -n "$from" ] || { echo "$name: no download"; continue; }
    cp -r "$from" "$dir" && chmod -R u+w "$dir" && rm -rf "$dir/vendor" && (cd "$dir" && { [ -e go.mod ] || go mod init "${name%%@*}"; } && go mod tidy) > /dev/null 2>&1
  fi
  echo "$packages" > "$dir/packages.txt" # for make results
  echo "== $name"
  (cd "$dir" && "$whoop" verify --timeout "$time" --stats "$packages" > whoop.txt 2> whoop.err)
  grep -ah ' entry points\?, \|^points-to: \|^regions: \|^one run: ' "$dir/whoop.txt" | cut -c1-160 || cat "$dir/whoop.err"
done
