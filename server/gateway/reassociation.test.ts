import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ProductError } from '#contract/errors.ts'
import { markSecretUsed } from '#database/machines/association.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { hashOfSecret } from '../secrets/hash.ts'
import { associate } from './association.ts'
import { createPins, type Pins, randomPin } from './pins.ts'

let database: TestDatabase
let server: TestGateway
let pins: Pins
beforeAll(async () => {
  database = await openTestDatabase()
  server = await openGateway(database)
  pins = createPins(server.config.secretKey)
})
afterAll(async () => {
  await server?.stop()
  await database?.close()
})

async function aKnownMachine() {
  const merchant = await aMerchant(database)
  const pin = await pins.givePin(database, merchant.id)
  return { pin, machine: await aMachine(database, merchant.id) }
}

const join = (request: { serial: string; pin?: string; secret?: string; deviceType?: string }) =>
  associate(
    { doors: database, config: server.config, pins, mqttPort: 1883 },
    { deviceType: 'AZVT', ...request },
    '10.0.0.1',
  )
const openWindow = ({ id }: Pick<TestMachine, 'id'>, hours: number | null) =>
  database.admin(`update machines set reassociation_until = now() + make_interval(hours => $2) where id = $1`, [
    id,
    hours,
  ])
const typeOf = async ({ serial }: TestMachine) =>
  (await database.admin<{ device_type: string }>('select device_type from machines where serial = $1', [serial]))[0]
    ?.device_type
const notAllowed = { code: 'ReassociationNotAllowed' }
const sale = (epoch: number) => {
  const at = new Date().toISOString().slice(0, 19)
  return { id: randomUUID(), at, epoch, items: [{ seq: 1, at, type: 1, value: 100 }] }
}

test('the PIN does not take over a known machine, and the machine keeps selling', async () => {
  const { machine, pin } = await aKnownMachine()
  const connection = await aConnection(server, machine)
  await expect(join({ serial: machine.serial, pin })).rejects.toMatchObject(notAllowed)
  await expect(join({ serial: machine.serial, pin, secret: 'guessed' })).rejects.toMatchObject(notAllowed)
  await connection.send('sale', sale(1))
  expect(await connection.next('ack')).toMatchObject({ epoch: 1, committed: 1 })
})

test('a machine renews its secret with its current one, with any PIN', async () => {
  const { machine } = await aKnownMachine()
  const { serial, secret } = machine
  expect(await join({ serial, secret })).toMatchObject({ serial, epoch: 2 })
  // The answer was lost: the previous secret is still valid.
  const again = await join({ serial, secret, pin: randomPin() })
  expect(again.epoch).toBe(3)
  await server.gateway.renewed(serial, again.secret)
  await aConnection(server, { serial, secret: again.secret })
  await expect
    .poll(() => join({ serial, secret }).catch((error: ProductError) => error.code))
    .toBe('AssociationRefused')
})

test('in an open window the PIN is enough, until the machine signs in or the window ends', async () => {
  const { machine, pin } = await aKnownMachine()
  const { serial } = machine
  await openWindow(machine, -1)
  await expect(join({ serial, pin })).rejects.toMatchObject(notAllowed)
  await openWindow(machine, 24)
  const { secret } = await join({ serial, pin })
  // A lost machine means a lost secret.
  await expect(join({ serial, secret: machine.secret })).rejects.toMatchObject({ code: 'AssociationRefused' })
  await server.gateway.renewed(serial, secret)
  await aConnection(server, { serial, secret })
  // An association meanwhile would replace the secret whose use ends the window.
  const until = () => database.admin('select reassociation_until from machines where id = $1', [machine.id])
  await expect.poll(until).toEqual([{ reassociation_until: null }])
  await expect(join({ serial, pin })).rejects.toMatchObject(notAllowed)
  const log = await database.admin('select action, after from change_log where subject_id = $1', [machine.id])
  expect(log).toEqual([{ action: 'machine.reassociate', after: { serial, deviceType: 'AZVT', epoch: 2 } }])
})

test('a device type does not change with the secret', async () => {
  const { machine, pin } = await aKnownMachine()
  await join({ serial: machine.serial, secret: machine.secret, deviceType: 'OTHER' })
  await openWindow(machine, 24)
  await join({ serial: machine.serial, pin, deviceType: 'OTHER' })
  expect(await typeOf(machine)).toBe('AZVT')
})

test('a hidden machine renews its secret and stays hidden', async () => {
  const { machine, pin } = await aKnownMachine()
  await database.admin('update machines set hidden = true where id = $1', [machine.id])
  await expect(join({ serial: machine.serial, pin })).rejects.toMatchObject(notAllowed)
  await join({ serial: machine.serial, secret: machine.secret })
  expect(await database.admin('select hidden from machines where id = $1', [machine.id])).toEqual([{ hidden: true }])
})

/** The acts of a machine, a thief and an admin, in any order. */
type Act = { act: 'pin' | 'signIn' | 'open' | 'close' } | { act: 'secret'; which: number }
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.record({ act: fc.constantFrom('pin', 'signIn', 'open', 'close') }),
    fc.record({ act: fc.constant('secret' as const), which: fc.nat(5) }),
  ),
  { minLength: 3, maxLength: 10 },
)

test('in any order of acts, a secret is issued for the newest one, for the previous one until the newest is used, or in a window', async () => {
  const { id: merchantId } = await aMerchant(database)
  const pin = await pins.givePin(database, merchantId)
  const allowed = (request: Parameters<typeof join>[0]) =>
    join(request).then(
      ({ secret }) => secret,
      (error: unknown) => {
        if (error instanceof ProductError) return null
        throw error
      },
    )
  await fc.assert(
    fc.asyncProperty(acts, async (sequence) => {
      const serial = `P${randomUUID().slice(0, 12)}`
      const first = (await join({ serial, pin })).secret
      const [machine] = await database.admin<{ id: string }>('select id from machines where serial = $1', [serial])
      const id = machine?.id as string
      const all = [first]
      const model = { current: first, before: null as string | null, isOpen: true }
      for (const one of sequence) {
        if (one.act === 'signIn') {
          await markSecretUsed(database, { merchantId, id }, hashOfSecret(model.current))
          Object.assign(model, { before: null, isOpen: false })
        } else if (one.act === 'open' || one.act === 'close') {
          model.isOpen = one.act === 'open'
          await openWindow({ id }, model.isOpen ? 24 : null)
        } else {
          const secret = one.act === 'secret' ? (all.at(-1 - (one.which % all.length)) as string) : undefined
          const isOwn = secret !== undefined && (secret === model.current || secret === model.before)
          const next = await allowed({ serial, pin, ...(secret !== undefined && { secret }) })
          expect(next !== null).toBe(isOwn || model.isOpen)
          if (next !== null) {
            Object.assign(model, { current: next, before: isOwn ? secret : null })
            all.push(next)
          }
        }
      }
    }),
    { numRuns: 15 },
  )
}, 60_000)
