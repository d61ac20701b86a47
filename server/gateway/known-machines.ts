import { isDistributed } from '#database/frame/distributed.ts'
import { nodeOf } from '#database/frame/nodes/placement.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { isAway } from '#database/frame/transient.ts'
import {
  findMachinePlaces,
  findMachinesAt,
  findMachinesBySerial,
  type KnownMachine,
  type MachinePlace,
} from '#database/machines/machine-directory.ts'
import { createBackoff } from '../retry/backoff.ts'
import { isSecret } from '../secrets/hash.ts'

export interface KnownMachines {
  /** The machine of a serial, or null. Throws when the database cannot be queried. */
  find(serial: string): Promise<KnownMachine | null>
  /** The same, if the secret is the machine's. */
  authenticate(serial: string, secret: string | Uint8Array): Promise<KnownMachine | null>
  /** Of several nodes, the one with a machine's rows, as far as it is known. */
  nodeOf(serial: string): string
  /** Removes the cached machine, so that the next use queries the database. */
  forget(serial: string): void
  /** The same for some or all machines of a merchant. Returns the serials that were cached. */
  forgetMachines(merchantId: string, ids: readonly string[]): string[]
}

const keptMs = 20_000
/**
 * Range of an entry's age at which it is renewed while it is still used. Without it, machines that arrived together would
 * all wait together.
 */
const renewedAfter = { least: 8_000, most: 16_000 }
/** Lifetime of a serial that does not exist, so that guessing costs the database little. */
const keptUnknownMs = 2_000
const entriesKept = 50_000
const requestsAtOnce = 200
/** While the database is away, all reconnecting machines get the last failure until the next attempt. */
const awayMs = { leastMs: 100, mostMs: 2_000 }
/** No caller waits for renewals, so many of them become one query. */
const renewalsWaitMs = 250

type Entry = {
  lookup: Promise<KnownMachine | null>
  machine?: KnownMachine
  until: number
  since: number
  /** When it is renewed; infinite while a renewal is running. */
  renewAt: number
}
type Answer<T> = { resolve: (found: T) => void; reject: (error: unknown) => void }
type Ask = Answer<KnownMachine | null> & { serial: string }
type PlacedAsk = Answer<KnownMachine | null> & { place: MachinePlace }

/** Runs queries. While the database, or one of its nodes, is away, callers get the last failure until the next attempt. */
function createAttempts() {
  let failure: unknown
  const backoff = createBackoff(awayMs)
  return async <T>(query: () => Promise<T>): Promise<T> => {
    if (!backoff.isDue()) throw failure
    try {
      const result = await query()
      backoff.worked()
      return result
    } catch (error) {
      if (isAway(error)) {
        failure = error
        backoff.failed()
      }
      throw error
    }
  }
}

/** Answers many lookups with one query. */
async function answer<A extends Answer<KnownMachine | null>>(
  asks: readonly A[],
  query: () => Promise<KnownMachine[]>,
  serialOf: (ask: A) => string,
): Promise<void> {
  try {
    const bySerial = new Map((await query()).map((machine) => [machine.serial, machine]))
    for (const each of asks) each.resolve(bySerial.get(serialOf(each)) ?? null)
  } catch (error) {
    for (const { reject } of asks) reject(error)
  }
}

/** Lookups on one of several nodes, one query at a time: a node that is slow or away delays no other. */
function createNodeLookups(doors: Doors): (ask: PlacedAsk) => void {
  const attempt = createAttempts()
  const requests: PlacedAsk[] = []
  let isBusy = false

  async function answerRequests(): Promise<void> {
    while (requests.length > 0) {
      const part = requests.splice(0, requestsAtOnce)
      const places = [...new Map(part.map(({ place }) => [place.serial, place])).values()]
      await answer(
        part,
        () => attempt(() => findMachinesAt(doors, places)),
        ({ place }) => place.serial,
      )
    }
    isBusy = false
  }

  return (ask) => {
    requests.push(ask)
    if (isBusy) return
    isBusy = true
    // Those of one query to the directory become one query again.
    setImmediate(answerRequests)
  }
}

/** Looks machines up by serial; simultaneous lookups share one query. One that is not awaited may come later. */
function createLookups(doors: Doors, onPlace: (place: MachinePlace) => void) {
  let requests: Ask[] = []
  let isScheduled = false
  let soon: NodeJS.Timeout | undefined
  const attempt = createAttempts()
  const byNode = new Map<string, (ask: PlacedAsk) => void>()

  function lookOn(node: string, ask: PlacedAsk): void {
    const lookups = byNode.get(node) ?? createNodeLookups(doors)
    byNode.set(node, lookups)
    lookups(ask)
  }

  /** The directory says whose the machines are, and each node of these merchants gets a query. */
  async function answerFromNodes(part: readonly Ask[], serials: readonly string[]): Promise<void> {
    try {
      const places = await attempt(() => findMachinePlaces(doors, serials))
      const bySerial = new Map(places.map((place) => [place.serial, place]))
      for (const { serial, resolve, reject } of part) {
        const place = bySerial.get(serial)
        if (!place) {
          resolve(null)
          continue
        }
        onPlace(place)
        lookOn(nodeOf(place.merchant_id), { place, resolve, reject })
      }
    } catch (error) {
      for (const { reject } of part) reject(error)
    }
  }

  async function answerRequests(): Promise<void> {
    const due = requests
    requests = []
    isScheduled = false
    clearTimeout(soon)
    soon = undefined
    for (let from = 0; from < due.length; from += requestsAtOnce) {
      const part = due.slice(from, from + requestsAtOnce)
      const serials = [...new Set(part.map(({ serial }) => serial))]
      if (isDistributed()) await answerFromNodes(part, serials)
      else
        await answer(
          part,
          () => attempt(() => findMachinesBySerial(doors, serials)),
          ({ serial }) => serial,
        )
    }
  }

  return (serial: string, isAwaited: boolean) =>
    new Promise<KnownMachine | null>((resolve, reject) => {
      requests.push({ serial, resolve, reject })
      if (isScheduled) return
      if (isAwaited) {
        isScheduled = true
        setImmediate(answerRequests)
      } else soon ??= setTimeout(answerRequests, renewalsWaitMs).unref()
    })
}

/** Machines by serial, cached for a short while; simultaneous lookups share one query. */
export function createKnownMachines(doors: Doors): KnownMachines {
  const entries = new Map<string, Entry>()
  /** Kept while a machine cannot be found because its node is away. */
  const merchants = new Map<string, string>()
  const ask = createLookups(doors, ({ serial, merchant_id }) => {
    if (merchants.size >= entriesKept) merchants.clear()
    merchants.set(serial, merchant_id)
  })

  function keep(serial: string, lookup: Promise<KnownMachine | null>, loaded: KnownMachine | undefined): Entry {
    const since = Date.now()
    const { least, most } = renewedAfter
    const entry: Entry = {
      lookup,
      until: since + keptMs,
      since,
      renewAt: since + least + Math.random() * (most - least),
    }
    if (loaded) entry.machine = loaded
    if (entries.size >= entriesKept) entries.clear()
    entries.set(serial, entry)
    return entry
  }

  function find(serial: string): Promise<KnownMachine | null> {
    const now = Date.now()
    const cached = entries.get(serial)
    if (cached && cached.until > now) {
      if (cached.machine && now >= cached.renewAt) renew(serial, cached)
      return cached.lookup
    }
    const machine = ask(serial, true)
    const entry = keep(serial, machine, undefined)
    machine.then(
      (loaded) => {
        if (loaded) entry.machine = loaded
        else entry.until = now + keptUnknownMs
      },
      () => entries.delete(serial),
    )
    return machine
  }

  /** Entries removed meanwhile stay removed. When the query fails, the entry is used until it expires. */
  function renew(serial: string, entry: Entry): void {
    entry.renewAt = Number.POSITIVE_INFINITY
    ask(serial, false).then(
      (loaded) => {
        if (entries.get(serial) !== entry) return
        if (loaded) keep(serial, Promise.resolve(loaded), loaded)
        else entries.delete(serial)
      },
      () => {},
    )
  }

  return {
    find,
    nodeOf: (serial) => nodeOf(merchants.get(serial) ?? ''),
    forget: (serial) => entries.delete(serial),
    forgetMachines(merchantId, ids) {
      const machineIds = new Set(ids)
      const serials = [...entries.values()].flatMap(({ machine }) =>
        machine?.merchantId === merchantId && (machineIds.size === 0 || machineIds.has(machine.id))
          ? machine.serial
          : [],
      )
      for (const serial of serials) entries.delete(serial)
      return serials
    },
    async authenticate(serial, secret) {
      const machine = await find(serial)
      if (machine && isSecret(secret, machine.secretHash)) return machine
      // Another process may have given the machine a new secret meanwhile.
      const entry = entries.get(serial)
      if (!machine || (entry && Date.now() - entry.since < 1000)) return null
      entries.delete(serial)
      const again = await find(serial)
      return again && isSecret(secret, again.secretHash) ? again : null
    },
  }
}
