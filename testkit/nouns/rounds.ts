import { randomUUIDv7 } from 'node:crypto'
import type { TestDatabase } from '../database.ts'

type Owned = Pick<TestDatabase, 'admin'>
interface Machine {
  merchantId: string
  id: string
}

async function insert(database: Owned, table: string, row: Record<string, unknown>) {
  const names = Object.keys(row)
  await database.admin(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(row),
  )
}

/** A round of today without stops. */
export async function aRound(database: Owned, merchantId: string, with_: Record<string, unknown> = {}) {
  const id = randomUUIDv7()
  const day = new Date().toISOString().slice(0, 10)
  await insert(database, 'rounds', {
    merchant_id: merchantId,
    id,
    name: `Round ${id.slice(-6)}`,
    day,
    created_at: new Date(),
    ...with_,
  })
  return id
}

/** An open stop at a machine, of a new round unless given. */
export async function aStop(database: Owned, machine: Machine, with_: Record<string, unknown> = {}) {
  const id = randomUUIDv7()
  const roundId = with_.round_id ?? (await aRound(database, machine.merchantId))
  await insert(database, 'round_stops', {
    merchant_id: machine.merchantId,
    id,
    machine_id: machine.id,
    position: 1,
    round_id: roundId,
    ...with_,
  })
  return id
}

/** The smallest file that counts as a JPEG: a frame of one pixel. */
export const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 0, 0x11, 0, 0xff, 0xd9])

/** A visit at a machine with a picture, outside of any round. */
export async function aVisit(database: Owned, machine: Machine, with_: Record<string, unknown> = {}) {
  const id = randomUUIDv7()
  await insert(database, 'visits', {
    merchant_id: machine.merchantId,
    id,
    machine_id: machine.id,
    at: new Date(),
    received_at: new Date(),
    user_id: randomUUIDv7(),
    user_name: 'Test',
    cash_taken: false,
    digest: 'test',
    ...with_,
  })
  await insert(database, 'visit_pictures', {
    merchant_id: machine.merchantId,
    visit_id: id,
    machine_id: machine.id,
    bytes: jpeg,
  })
  return id
}

/** A line of a visit: four pieces loaded into selection 11, none thrown away. */
export const aVisitLine = (database: Owned, machine: Machine, visitId: string, with_: Record<string, unknown> = {}) =>
  insert(database, 'visit_lines', {
    merchant_id: machine.merchantId,
    visit_id: visitId,
    machine_id: machine.id,
    selection: '11',
    planned: 4,
    loaded: 4,
    waste: 0,
    ...with_,
  })
