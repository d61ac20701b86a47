import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Serial } from '#contract/device-protocol.ts'
import { AssociationRefusedError, associate } from '../portal/associate.ts'
import { defaultFolder } from '../settings/default-folder.ts'
import { type AgentSettings, readSettings, writeSettings } from '../settings/settings.ts'
import { fetchUpdateKey } from '../updates/update-key.ts'
import { mdbOptions, mdbSettingsOf } from './mdb-options.ts'
import { portOptions, portSettingsOf } from './port-options.ts'
import { UsageError } from './usage.ts'

/** Associates this computer with the portal and writes its settings. Returns the exit code. */
export async function setupCommand(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      ...portOptions,
      ...mdbOptions,
      portal: text,
      pin: text,
      code: text,
      serial: text,
      name: text,
      type: { ...text, default: 'AZVT' },
      folder: { ...text, default: defaultFolder },
      transport: text,
      every: text,
      restart: text,
      drop: text,
    },
  })
  const { portal, pin, code } = values
  if (portal === undefined || !URL.canParse(portal)) throw new UsageError('Name the portal with --portal https://…')
  const folder = resolve(values.folder)
  const before = settingsIn(folder)
  const serial = values.serial ?? before?.serial ?? serialOfComputer()
  if (!Serial.safeParse(serial).success) throw new UsageError(`${serial} is no serial: letters, digits and hyphens`)
  const isKnown = before !== undefined && before.portal === portal && before.serial === serial
  const isNew = pin !== undefined || code !== undefined
  if (!isKnown && !isNew) throw new UsageError('Give the PIN of the portal with --pin, or a one-time code with --code.')
  const machine = portSettingsOf(values)
  const mdb = mdbSettingsOf(values, before?.mdb)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const common = { serial, deviceType: values.type, name: values.name }
  const byPin = () => associate(portal, { ...common, pin, code })
  // A set-up that is repeated, with another port for example, is of the same machine; the portal refuses its PIN.
  const { secret, epoch, mqtt } = isKnown
    ? await associate(portal, { ...common, secret: before.secret }).catch((error: unknown) => {
        if (isNew && error instanceof AssociationRefusedError) return byPin()
        throw error
      })
    : await byPin()
  const settings: AgentSettings = {
    portal,
    serial,
    secret,
    epoch,
    mqtt,
    machine,
    transport: values.transport === 'http' ? 'http' : 'mqtt',
    readEvery: Number(values.every ?? before?.readEvery ?? 60),
    restart: values.restart ?? before?.restart,
    drop: values.drop ?? before?.drop,
    mdb,
  }
  writeSettings(folder, settings)
  // Where it fails, the first update fetches it.
  await fetchUpdateKey(folder, { portal, serial, secret }).catch(() => undefined)
  console.info(`${serial} is associated. Its settings are in ${join(folder, 'agent.json')}.`)
  return 0
}

function settingsIn(folder: string): AgentSettings | undefined {
  try {
    return readSettings(folder)
  } catch {
    return undefined
  }
}

const serialOfComputer = () =>
  `AGENT-${hostname()
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 20)
    .toUpperCase()}`
