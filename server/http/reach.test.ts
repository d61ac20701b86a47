import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ids } from '#contract/frame/ids.ts'
import { idOrObject, oneOrMany } from '#contract/frame/shapes.ts'
import type { Scope } from '#database/frame/tenant.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { idsNamed, refuseOutOfReach } from './reach.ts'

describe('ids in a call', () => {
  const Call = z.strictObject({
    groupIds: oneOrMany(idOrObject(ids.groupId)),
    rows: z.array(z.strictObject({ id: ids.posId, name: z.string(), clientId: ids.clientId.nullable() })).optional(),
    chosen: z.union([z.strictObject({ ids: z.array(ids.posId) }), z.strictObject({ count: z.int() })]).optional(),
    byName: z.record(z.string(), ids.clientId).optional(),
    own: z.uuid().optional(),
  })
  const namedIn = (value: unknown) =>
    Object.fromEntries([...idsNamed(Call, Call.parse(value))].map(([noun, named]) => [noun, [...named].sort()]))
  const [a, b, c] = ['a', 'b', 'c'].map((one) => `${one.repeat(8)}-0000-4000-8000-000000000000`) as [
    string,
    string,
    string,
  ]

  test('are found in arrays, rows, unions, records and JSON, each once', () => {
    expect(namedIn({ groupIds: [a, `{"id":"${b}"}`] })).toEqual({ groupId: [a, b] })
    expect(
      namedIn({
        rows: [
          { id: a, name: b, clientId: null },
          { id: c, name: '', clientId: b },
        ],
      }),
    ).toEqual({
      posId: [a, c],
      clientId: [b],
    })
    expect(namedIn({ chosen: { ids: [a, a] }, byName: { x: c } })).toEqual({ posId: [a], clientId: [c] })
  })

  test('are the same in capital letters', () => {
    expect(namedIn({ groupIds: [a, a.toUpperCase()] })).toEqual({ groupId: [a] })
  })

  test('do not include uuids without a noun', () => {
    expect(namedIn({ own: a, chosen: { count: 1 } })).toEqual({})
  })
})

describe('an id out of reach', () => {
  let database: TestDatabase
  let groupId: string
  let machine: TestMachine
  let foreign: TestMachine
  let machineId: string
  let deletedId: string
  let foreignId: string
  let scope: Scope

  beforeAll(async () => {
    database = await openTestDatabase()
    const ownMerchant = await aMerchant(database)
    const otherMerchant = await aMerchant(database)
    groupId = await aGroup(database, ownMerchant.id)
    machine = await aMachine(database, ownMerchant.id, { groupId })
    machineId = machine.id
    deletedId = (
      await aMachine(database, ownMerchant.id, { groupId, columns: { deleted_at: new Date(), hidden: true } })
    ).id
    foreign = await aMachine(database, otherMerchant.id)
    foreignId = foreign.id
    scope = [{ merchantId: ownMerchant.id, groups: [groupId] }]
  })
  afterAll(() => database.close())

  const refuse = (named: Record<string, string[]>) =>
    database.withTenant(scope, (db) =>
      refuseOutOfReach(db, new Map(Object.entries(named).map(([noun, list]) => [noun, new Set(list)])) as never),
    )

  test('is answered with the code of its noun', async () => {
    await refuse({ groupId: [groupId], posId: [machineId] })
    for (const id of [foreignId, randomUUID()]) {
      await expect(refuse({ groupId: [groupId], posId: [machineId, id] })).rejects.toMatchObject({
        code: 'MachineNotFound',
      })
      await expect(refuse({ groupId: [id], posId: [machineId] })).rejects.toMatchObject({ code: 'GroupNotFound' })
    }
  })

  test('of a deleted machine gives its history, and nothing else', async () => {
    await refuse({ pastPosId: [machineId, deletedId] })
    await expect(refuse({ posId: [deletedId] })).rejects.toMatchObject({ code: 'MachineNotFound' })
  })

  /** Looks up ids and counts the statements. */
  const counted = (named: Record<string, Iterable<string>>) =>
    database.withTenant(scope, async (db) => {
      let statements = 0
      const counting = db.query.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements++
          return result
        },
      })
      const ids = new Map(Object.entries(named).map(([noun, list]) => [noun, new Set(list)])) as never
      const refused = await refuseOutOfReach({ ...db, query: counting }, ids).catch((error: { code: string }) => error)
      return { code: refused?.code, statements }
    })

  test('thousands of ids of several nouns take one statement', async () => {
    const many = Array.from({ length: 10_000 }, () => randomUUID())
    expect(await counted({ posId: many, groupId: many })).toEqual({ code: 'MachineNotFound', statements: 1 })
  })

  test('of a sale is looked for near the time of the id, and in each month if it is not there', async () => {
    const sold = (of: TestMachine, created_at: Date) => aSale(database, of, { created_at })
    const live = [await sold(machine, new Date()), await sold(machine, new Date(Date.now() - 50 * 60_000))]
    const late = await sold(machine, new Date(Date.now() - 30 * 86_400_000))
    const ahead = await sold(machine, new Date(Date.now() + 86_400_000))
    expect(await counted({ transactionId: live })).toEqual({ code: undefined, statements: 1 })
    expect(await counted({ transactionId: [...live, late, ahead], posId: [machine.id] })).toEqual({
      code: undefined,
      statements: 2,
    })
    const unheardOf = ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff']
    for (const id of [await sold(foreign, new Date()), randomUUIDv7(), randomUUID(), ...unheardOf])
      expect(await counted({ transactionId: [...live, id] })).toEqual({ code: 'TransactionNotFound', statements: 2 })
  })
})
