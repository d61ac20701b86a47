import type { State } from '#contract/device-protocol.ts'
import { connections } from '#contract/vocabulary/device.ts'
import type { Condition } from '#database/machines/machine-condition.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { driftOf, naiveOf } from '#domain/time/clock.ts'
import type { Incoming } from '../reception.ts'
import type { Entry } from '../store-batch.ts'

/** A reading describes the machine's current state for this long. */
const currentMs = 15 * 60_000

/** Maximum age of a time by the machine's clock. */
export const keptDays = 90

/** A drift is a whole number of seconds that the database can hold. */
const driftLimit = 2_147_483_647

/** The difference between the machine's clock and ours by the message's time; null for a message that was sent before. */
export function measuredDrift(machine: KnownMachine, sentAt: number | null, incoming: Incoming): number | null {
  if (sentAt === null || incoming.isRepeated) return null
  return driftOf(incoming.receivedAt.getTime(), sentAt, machine.timeZone)
}

export const conditionOf = (
  machine: KnownMachine,
  { receivedAt }: Incoming,
  drift: number | null,
  news: Partial<Condition>,
): Condition => ({
  merchantId: machine.merchantId,
  machineId: machine.id,
  lastSeenAt: receivedAt,
  connection: connections.online,
  ...news,
  ...driftNews(machine, drift),
})

/** The condition of a machine by its state, or by its last will. */
export function conditionOfState(machine: KnownMachine, incoming: Incoming, state: State): Condition {
  const { online, signalPercent, temperatureCelsius, sensors, networkType, publicIp } = state
  const drift = measuredDrift(machine, state.at === undefined ? null : naiveOf(state.at), incoming)
  return conditionOf(machine, incoming, online ? drift : null, {
    lastPingAt: incoming.receivedAt,
    connection: online ? connections.online : connections.offline,
    ...(signalPercent !== undefined && { signalPercent }),
    ...(temperatureCelsius !== undefined && { temperatureCelsius }),
    ...(sensors && { sensors }),
    ...(networkType && { networkType }),
    ...(publicIp && { publicIp }),
  })
}

/** A drift is stored when it has changed by more than a message's travel time. */
function driftNews(machine: KnownMachine, drift: number | null): { driftSeconds?: number } {
  if (drift === null) return {}
  const seconds = Math.max(-driftLimit, Math.min(driftLimit, Math.round(drift / 1000)))
  if (machine.driftSeconds !== null && Math.abs(machine.driftSeconds - seconds) < 5) return {}
  machine.driftSeconds = seconds
  return { driftSeconds: seconds }
}

/** The machine's condition by the newest readings. Readings that were sent long after they were taken do not count. */
export function measuredNow(entries: readonly Entry[], receivedAt: Date): Partial<Condition> {
  const now: Partial<Condition> = {}
  for (const entry of entries.toSorted((one, other) => one.at - other.at)) {
    if (entry.kind !== 'reading' || receivedAt.getTime() - entry.at > currentMs) continue
    const { signalPercent, temperatureCelsius } = entry.item
    if (signalPercent !== undefined) now.signalPercent = signalPercent
    if (temperatureCelsius !== undefined) now.temperatureCelsius = temperatureCelsius
  }
  return now
}

/** How the times of a message are interpreted. */
export function readingOf(machine: KnownMachine, incoming: Incoming, sentAt: number | null) {
  const receivedAt = incoming.receivedAt.getTime()
  const knownDrift = incoming.isRepeated && machine.driftSeconds !== null ? machine.driftSeconds * 1000 : null
  return { sentAt, receivedAt, zone: machine.timeZone, oldestAt: receivedAt - keptDays * 86_400_000, knownDrift }
}
