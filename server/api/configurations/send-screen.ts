import { randomUUIDv7 } from 'node:crypto'
import type { ScreenSent } from '#contract/configurations/screen-configuration.ts'
import { screenDocument } from '#contract/vocabulary/configuration.ts'
import { insertRemoteCommands } from '#database/commands/remote-command.ts'
import { assignScreens, machinesForScreen } from '#database/configurations/screen-assignment.ts'
import type { RecordKey } from '#database/frame/records.ts'
import type { TenantDb } from '#database/frame/tenant.ts'

const sendConfig = 6
/** A screen may be off over a weekend or a holiday. */
const waitsMs = 7 * 86_400_000

interface Call {
  db: TenantDb
  now: Date
  user: { id: string | null; name: string }
  publicUrl: string
}

/** Sends a document to machines of its merchant whose screens may enrol. Returns the machines with a command, and refused ones. */
export async function sendScreen(
  { db, now, user, publicUrl }: Call,
  { merchant_id, id, version }: RecordKey & { version: number },
  document: { id: string; bytes: number; sha256: string },
  machineIds: readonly string[],
): Promise<{ sent: { id: string; name: string }[]; refused: ScreenSent['refused'] }> {
  const refused: ScreenSent['refused'] = []
  const machines = (await machinesForScreen(db, machineIds, now)).filter((machine) => {
    const code =
      machine.merchant_id !== merchant_id
        ? 'ScreenConfigurationNotFound'
        : machine.may_enrol
          ? undefined
          : 'ScreenNotEnrolled'
    if (code) refused.push({ posId: machine.id, posName: machine.name, code })
    return !code
  })
  const orderId = randomUUIDv7()
  const commands = machines.map((machine) => ({
    merchant_id,
    id: randomUUIDv7(),
    order_id: orderId,
    machine_id: machine.id,
    type: sendConfig,
    parameters: JSON.stringify({
      settings: {
        'screen.configuration': id,
        'screen.version': String(version),
        'screen.url': `${publicUrl}/device/v1/${encodeURIComponent(machine.serial)}/screens/${document.id}`,
        'screen.bytes': String(document.bytes),
        [screenDocument]: document.sha256,
      },
    }),
    created_at: now,
    created_by: user.id,
    created_by_name: user.name,
    not_before: now,
    expires_at: new Date(now.getTime() + waitsMs),
  }))
  const stored = await insertRemoteCommands(db, commands)
  const names = new Map(machines.map((machine) => [machine.id, machine.name]))
  const sent = commands.filter((command) => {
    if (stored.has(command.id)) return true
    const { machine_id } = command
    refused.push({ posId: machine_id, posName: names.get(machine_id) ?? '', code: 'RemoteCommandPending' })
    return false
  })
  await assignScreens(
    db,
    sent.map((command) => ({
      merchant_id,
      machine_id: command.machine_id,
      screen_configuration_id: id,
      version,
      document_id: document.id,
      document: document.sha256,
      command_id: command.id,
      sent_at: now,
    })),
  )
  return { sent: sent.map(({ machine_id }) => ({ id: machine_id, name: names.get(machine_id) ?? '' })), refused }
}
