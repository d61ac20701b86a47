#!/bin/sh
# Creates the gateway's user at the first start; it creates all others.
set -eu
accounts=/var/lib/mosquitto/dynamic-security.json
[ -s "$accounts" ] || mosquitto_ctrl dynsec init "$accounts" gateway "$GATEWAY_PASSWORD"
exec mosquitto -c /etc/gettone/mosquitto.conf
