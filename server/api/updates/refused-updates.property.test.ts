import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aFirmware, reportsVersion, withFile } from '#testkit/nouns/updates.ts'

const types = ['AZVT', 'CUNI', 'AZNE'] as const
type DeviceType = (typeof types)[number]

let api: TestApi
let admin: TestUser
let merchantId: string
/** Two machines of each type. */
const machines: (TestMachine & { deviceType: DeviceType })[] = []
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  for (const deviceType of [...types, ...types])
    machines.push({ ...(await aMachine(api.database, merchantId, { deviceType })), deviceType })
}, 60_000)
afterAll(() => api?.close())

const version = fc.tuple(fc.constantFrom(1, 2, 10), fc.constantFrom(0, 9, 12))
const textOf = ([major, minor]: [number, number]) => `${major}.${minor}.0.0`
const isNewer = ([major, minor]: [number, number], [toMajor, toMinor]: [number, number]) =>
  major > toMajor || (major === toMajor && minor > toMinor)

test('an update is refused for machines of another type, and where it would take a machine back unless that is allowed: as a command and as a rule', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 }),
      fc.array(fc.option(version), { minLength: 6, maxLength: 6 }),
      fc.subarray([...types], { minLength: 1 }),
      version,
      fc.boolean(),
      async (indexes, running, deviceTypes, to, allowDowngrade) => {
        const { admin: sql } = api.database
        const targets = indexes.map((at) => ({ ...(machines[at] as (typeof machines)[number]), version: running[at] }))
        await sql('delete from machine_versions where merchant_id = $1', [merchantId])
        for (const target of targets)
          if (target.version) await reportsVersion(api.database, target, textOf(target.version))
        await sql('delete from firmwares', [])
        const firmwareId = await aFirmware(api.database, { release: textOf(to), deviceTypes })
        await withFile(api.database, 'firmwares', firmwareId)
        const fitting = targets.filter(({ deviceType }) => deviceTypes.includes(deviceType))
        const others = targets.filter((target) => !fitting.includes(target))
        const back = fitting.filter(({ version: runs }) => runs && isNewer(runs, to))
        const ids = targets.map(({ id }) => id)

        const order = { type: 11, parameters: { firmwareId } }
        const body = { machines: { ids }, order, allowDowngrade }
        const sent = await api.send('sendRemoteCommand', { params: { merchantId }, body }, admin)
        const stored = await sql<{ machine_id: string }>(
          'delete from remote_commands where merchant_id = $1 returning machine_id',
          [merchantId],
        )
        const reached = fitting.length > 0 && (allowDowngrade || back.length === 0) ? fitting : []
        expect(stored.map(({ machine_id }) => machine_id).toSorted()).toEqual(reached.map(({ id }) => id).toSorted())
        if (fitting.length === 0) expect(sent.json()).toMatchObject({ code: 'UpdateNotForMachine' })
        else if (reached.length === 0)
          expect(sent.json()).toMatchObject({ code: 'UpdateDowngrade', facts: { machines: back.length } })
        else {
          const refused = others.map(({ id }) => ({ posId: id, code: 'UpdateNotForMachine' }))
          expect(new Set(sent.json().refused.map(({ posId, code }: (typeof refused)[0]) => ({ posId, code })))).toEqual(
            new Set(refused),
          )
        }

        const rule = { name: 'Rule', firmwareId, target: { by: 'machines', posIds: ids }, allowDowngrade }
        const created = await api.send('createFirmwareRule', { params: { merchantId }, body: rule }, admin)
        const expected =
          others.length > 0 ? 'UpdateNotForTargets' : back.length > 0 && !allowDowngrade ? 'UpdateDowngrade' : undefined
        expect(created.json().code).toBe(expected)
        await sql('delete from firmware_rules where merchant_id = $1', [merchantId])
        await sql('delete from rollouts where merchant_id = $1', [merchantId])
      },
    ),
    { numRuns: 25 },
  )
}, 30_000)
