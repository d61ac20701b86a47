import { findMachinesBySerial, type KnownMachine } from '#database/machine-directory.ts'
import type { Doors } from '#database/tenant.ts'
import { isSecret } from './secret.ts'

export interface KnownMachines {
  /** The machine of a serial, or null when there is none. Throws when the database cannot be asked. */
  find(serial: string): Promise<KnownMachine | null>
  /** The same, when the secret is its own. */
  authenticate(serial: string, secret: string | Uint8Array): Promise<KnownMachine | null>
  /** Asks the database at the next use. */
  forget(serial: string): void
}

const keptMs = 20_000
/** A serial that does not exist, so that guessing costs the database little. */
const keptUnknownMs = 2_000
const entriesKept = 50_000
const asksAtOnce = 200

type Entry = { machine: Promise<KnownMachine | null>; until: number; since: number }
type Ask = { serial: string; resolve: (machine: KnownMachine | null) => void; reject: (error: unknown) => void }

/** Machines as the directory knows them, remembered for a short while; when many come at once they are asked for together. */
export function createKnownMachines(doors: Doors): KnownMachines {
  const entries = new Map<string, Entry>()
  let asks: Ask[] = []

  async function answerAsks(): Promise<void> {
    const asked = asks
    asks = []
    for (let from = 0; from < asked.length; from += asksAtOnce) {
      const part = asked.slice(from, from + asksAtOnce)
      try {
        const found = await findMachinesBySerial(doors, [...new Set(part.map(({ serial }) => serial))])
        const bySerial = new Map(found.map((machine) => [machine.serial, machine]))
        for (const { serial, resolve } of part) resolve(bySerial.get(serial) ?? null)
      } catch (error) {
        for (const { reject } of part) reject(error)
      }
    }
  }

  function find(serial: string): Promise<KnownMachine | null> {
    const now = Date.now()
    const known = entries.get(serial)
    if (known && known.until > now) return known.machine
    const machine = new Promise<KnownMachine | null>((resolve, reject) => {
      if (asks.length === 0) setImmediate(answerAsks)
      asks.push({ serial, resolve, reject })
    })
    if (entries.size >= entriesKept) entries.clear()
    const entry: Entry = { machine, until: now + keptMs, since: now }
    entries.set(serial, entry)
    machine.then(
      (found) => {
        if (!found) entry.until = now + keptUnknownMs
      },
      () => entries.delete(serial),
    )
    return machine
  }

  return {
    find,
    forget: (serial) => entries.delete(serial),
    async authenticate(serial, secret) {
      const machine = await find(serial)
      if (machine && isSecret(secret, machine.secretHash)) return machine
      // Another process may have given it a new secret since.
      const entry = entries.get(serial)
      if (!machine || (entry && Date.now() - entry.since < 1000)) return null
      entries.delete(serial)
      const again = await find(serial)
      return again && isSecret(secret, again.secretHash) ? again : null
    },
  }
}
