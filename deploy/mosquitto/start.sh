#!/bin/sh
# Creates the gateway's user at the first start; it creates all others.
set -eu
accounts=/var/lib/mosquitto/dynamic-security.json
copy=/var/lib/gettone-accounts/dynamic-security.json
[ -s "$accounts" ] || mosquitto_ctrl dynsec init "$accounts" gateway "$GATEWAY_PASSWORD"
# A copy for the backups of the workers: the broker's own file is for its user alone.
while true; do
  cmp -s "$accounts" "$copy" || { cp "$accounts" "$copy.new" && chmod 640 "$copy.new" && mv "$copy.new" "$copy"; } || true
  sleep 15
done &
exec mosquitto -c /etc/gettone/mosquitto.conf
