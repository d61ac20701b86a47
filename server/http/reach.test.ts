import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ids } from '#contract/frame/ids.ts'
import { idOrObject, oneOrMany } from '#contract/frame/shapes.ts'
import type { Scope } from '#database/frame/tenant.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant } from '#testkit/fixtures.ts'
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
  let machineId: string
  let deletedId: string
  let foreignId: string
  let scope: Scope

  beforeAll(async () => {
    database = await openTestDatabase()
    const ownMerchant = await aMerchant(database)
    const otherMerchant = await aMerchant(database)
    groupId = await aGroup(database, ownMerchant.id)
    machineId = (await aMachine(database, ownMerchant.id, { groupId })).id
    deletedId = (
      await aMachine(database, ownMerchant.id, { groupId, columns: { deleted_at: new Date(), hidden: true } })
    ).id
    foreignId = (await aMachine(database, otherMerchant.id)).id
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

  test('thousands of ids of several nouns take one statement', async () => {
    let statements = 0
    const many = new Set(Array.from({ length: 10_000 }, () => randomUUID()))
    await database.withTenant(scope, async (db) => {
      const counting = db.query.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements++
          return result
        },
      })
      const named = new Map([
        ['posId', many],
        ['groupId', many],
      ]) as never
      await expect(refuseOutOfReach({ ...db, query: counting }, named)).rejects.toMatchObject({
        code: 'MachineNotFound',
      })
    })
    expect(statements).toBe(1)
  })
})
