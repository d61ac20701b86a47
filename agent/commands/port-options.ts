import { PortSettings } from '../ports/port-settings.ts'
import { UsageError } from './usage.ts'

/** The options of commands about a port, as `parseArgs` takes them. */
export const portOptions = {
  port: { type: 'string' },
  protocol: { type: 'string' },
  role: { type: 'string' },
  baud: { type: 'string' },
  echo: { type: 'boolean' },
  list: { type: 'string' },
  'security-code': { type: 'string' },
  'pass-code': { type: 'string' },
  revision: { type: 'string' },
} as const

type Values = Partial<Record<keyof typeof portOptions, string | boolean>>

const numberOf = (text: string | boolean | undefined) => (text === undefined ? undefined : Number(text))

/** Reads the settings of a port from the command line. */
export function portSettingsOf(values: Values): PortSettings {
  if (values.port === undefined) throw new UsageError('Name the port with --port, for example /dev/ttyUSB0.')
  const parsed = PortSettings.safeParse({
    path: values.port,
    protocol: values.protocol,
    role: values.role,
    baud: numberOf(values.baud),
    hasEcho: values.echo,
    list: numberOf(values.list),
    securityCode: numberOf(values['security-code']),
    passCode: numberOf(values['pass-code']),
    revision: values.revision,
  })
  if (parsed.success) return parsed.data
  throw new UsageError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}
