export const usage = `gettone-agent <command> [options]
  read      reads the audit of a machine once and prints it
  emulate   is a machine on a port, for tests

read --port PATH [--protocol dex|ddcmp] [--role either|master|slave] [--baud N] [--echo] [--list N]
  [--security-code N] [--pass-code N] [--revision R01L01]
emulate --port PATH [--protocol dex|ddcmp] [--role master|slave] [--baud N] [--selections N] [--noise PERCENT] [--times N]`

/** A command that cannot be done; the text says why. */
export class UsageError extends Error {}
