import { lists } from '../ddcmp/messages.ts'
import { communicationId } from '../dex/handshake.ts'
import { clockOf } from '../portal/clock.ts'
import type { PortSettings } from '../ports/port-settings.ts'
import { readPort } from '../ports/read-port.ts'
import { faultReading, type Reading } from './machine.ts'

/** The letters of the agent in communication ids (EVA-DTS 6.1, chapter 4.5.4). */
const maker = 'GTN'

/** Reads the machine over its port; the id that the machine sees ends with digits of the agent's serial. */
export async function transferOverPort(
  settings: PortSettings,
  { serial, isCollection, signal }: { serial: string; isCollection: boolean; signal: AbortSignal },
): Promise<Reading> {
  const id = communicationId(`${maker}${serial.replaceAll(/\D/g, '').slice(-7).padStart(7, '0')}`)
  const clock = clockOf(Date.now()).slice(0, 19)
  const list = isCollection ? lists.audit : settings.list
  const outcome = await readPort({ ...settings, list }, { id, clock }, signal)
  if (!outcome.isDone) return faultReading(outcome.fault)
  const port = settings.hasEcho ? 'infrared' : settings.protocol
  return { file: outcome.value.file, port }
}
