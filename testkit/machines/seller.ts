import { defaultRechargeLimits } from '#contract/vocabulary/world/money-limits.ts'
import { type Entry, type StoreInput, storeBatch } from '#server/gateway/store-batch.ts'
import { type RollupDay, type RollupOrder, workRollups } from '#server/worker/rollups.ts'
import type { TestDatabase } from '../database.ts'
import { aMachine, aMerchant, type TestMachine } from '../fixtures.ts'

const plain = {
  sale: { type: 1, mediaType: 1, mediaSource: 1, value: 100, valueCharge: 0, freeSale: false, errorSale: false },
  cash: { tubes: [], recyclers: [], accepted: [], rejected: [] },
  event: { code: 'ENC', active: true },
}

interface Item {
  kind: keyof typeof plain
  seq: number
  at: string | number
  timeZone?: string
  more?: object
}

/** A machine's message with one item, as parsed by the gateway; a cash sale of 1.00 by default. */
export function inputOf(
  machine: TestMachine,
  { kind, seq, timeZone = 'Europe/Rome', more, ...item }: Item,
): StoreInput {
  const at = typeof item.at === 'string' ? Date.parse(item.at) : item.at
  const entry = { kind, seq, at, machineTime: null, item: { seq, at: '', ...plain[kind], ...more } } as Entry
  const knownMachine = {
    ...machine,
    secretHash: '',
    isSecretUsed: true,
    associatedAt: new Date(),
    timeZone,
    currency: 'EUR' as const,
    driftSeconds: null,
    hasMedia: true,
    unlockHours: 24,
    limits: defaultRechargeLimits('EUR'),
  }
  return { machine: knownMachine, epoch: machine.epoch, entries: [entry], setAside: [], isReplay: false }
}

/** Stores one item of a machine as the gateway does, at any instant. */
export const storeItem = (database: TestDatabase, machine: TestMachine, item: Item) =>
  storeBatch(database, [inputOf(machine, item)], () => {})

/** A machine of a new merchant that sells on request. */
export async function aSeller(database: TestDatabase, timeZone = 'Europe/Rome') {
  const { id: merchantId } = await aMerchant(database, { time_zone: timeZone })
  const machine = await aMachine(database, merchantId)
  let seq = 0
  const store = (kind: 'sale' | 'cash', at: string | number, more: object) =>
    storeItem(database, machine, { kind, seq: ++seq, at, timeZone, more })
  return {
    merchantId,
    machine,
    sell: (at: string | number, more: object = {}) => store('sale', at, more),
    countCash: (at: string | number, more: object) => store('cash', at, more),
  }
}

/** The result of `npm run rollups` for each day, after it has corrected the sums. */
export async function rollupsOf(database: TestDatabase, order: Partial<RollupOrder>, now: Date) {
  const days: RollupDay[] = []
  for await (const day of workRollups(database, { isCheck: false, ...order }, now)) days.push(day)
  return { days, different: days.filter(({ different }) => different.length > 0) }
}

/** A merchant's rows of a table, in the order of the first three columns. */
export const rowsOf = (database: TestDatabase, table: string, merchantId: string, columns = '*') =>
  database.admin(`select ${columns} from ${table} where merchant_id = $1 order by 1, 2, 3`, [merchantId])
