/** How a machine speaks with the portal: by its telemetry, by an agent on its audit port, by files alone, or by firmware of one's own. */
export const ways = ['telemetry', 'agent', 'files', 'firmware'] as const
export type Way = (typeof ways)[number]

export const protocols = ['dex', 'ddcmp'] as const
export type Protocol = (typeof protocols)[number]

/** A word between the quotes of a POSIX shell, where it needs them. */
const word = (text: string) => (/^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The commands that set up the agent for a machine and start it. */
export const agentLines = (
  { pin, httpUrl }: { pin: string; httpUrl: string },
  { serial, name, protocol }: { serial: string; name: string | null; protocol: Protocol },
): string =>
  [
    `npx gettone-agent setup --portal ${word(httpUrl)} --pin ${pin} \\`,
    `  --serial ${word(serial)}${name ? ` --name ${word(name)}` : ''} \\`,
    `  --protocol ${protocol} --port /dev/ttyUSB0`,
    'npx gettone-agent run',
  ].join('\n')

/** A serial for a machine whose label has none, from random bytes: the agent’s computer gets it. */
export const aSerial = (random: Uint8Array): string => `A${[...random].map((byte) => byte % 10).join('')}`
