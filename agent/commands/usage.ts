export const usage = `gettone-agent <command> [options]
  setup     associates this computer with a portal
  run       reads the machine by plan and by command, and reports to the portal
  read      reads the audit of a machine once and prints it
  emulate   is a machine on a port, for tests
  inbox     sends audit files of many machines from a folder, with an API token

setup --portal URL --pin DIGITS --port PATH [--code DIGITS] [--serial S] [--name NAME] [--type AZVT] [--folder PATH]
  [--every MINUTES] [--restart COMMAND] [--drop PATH] [--transport mqtt|http], and the options of read
  sales on the MDB bus: --mdb usb --mdb-port PATH [--mdb-scale 1] [--mdb-decimals 2], or
  --mdb vmflow --mdb-broker URL --mdb-board NUMBER --mdb-passkey KEY, or --mdb none; with [--digits 2] [--mdb-medium creditCard]
run [--folder PATH] [--drop PATH]
read --port PATH [--protocol dex|ddcmp] [--role either|master|slave] [--baud N] [--echo] [--list N]
  [--security-code N] [--pass-code N] [--revision R01L01]
emulate --port PATH [--protocol dex|ddcmp] [--role master|slave] [--baud N] [--selections N] [--noise PERCENT] [--times N]
inbox --folder PATH --portal URL --merchant ID --token-file PATH [--preview]`

/** A command that cannot be done; the text says why. */
export class UsageError extends Error {}
