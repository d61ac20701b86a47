import { MdbSettings } from '../mdb/mdb-settings.ts'
import { UsageError } from './usage.ts'

/** The options of a set-up about the MDB bus, as `parseArgs` takes them. */
export const mdbOptions = {
  mdb: { type: 'string' },
  'mdb-port': { type: 'string' },
  'mdb-scale': { type: 'string' },
  'mdb-decimals': { type: 'string' },
  'mdb-broker': { type: 'string' },
  'mdb-board': { type: 'string' },
  'mdb-passkey': { type: 'string' },
  'mdb-medium': { type: 'string' },
  digits: { type: 'string' },
} as const

type Values = Partial<Record<keyof typeof mdbOptions, string>>

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))

/** The settings by the command line, else those before. `--mdb none` ends them. */
export function mdbSettingsOf(values: Values, before: MdbSettings | undefined): MdbSettings | undefined {
  const { mdb: kind } = values
  if (kind === undefined) return before
  if (kind === 'none') return undefined
  const parsed = MdbSettings.safeParse({
    source:
      kind === 'usb'
        ? {
            kind,
            path: values['mdb-port'],
            scale: numberOf(values['mdb-scale']),
            decimals: numberOf(values['mdb-decimals']),
          }
        : { kind, broker: values['mdb-broker'], board: values['mdb-board'], passkey: values['mdb-passkey'] },
    digits: numberOf(values.digits),
    medium: values['mdb-medium'],
  })
  if (parsed.success) return parsed.data
  throw new UsageError(parsed.error.issues.map(({ path, message }) => `--mdb ${path.join('.')}: ${message}`).join('\n'))
}
