import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { VpConfiguration } from '#contract/configurations/vp-configuration.ts'
import { canonicalJson, type Json, type JsonObject } from '#contract/configurations/vp-document.ts'
import { vpDeviceTypes } from '#contract/vocabulary/device.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { insertVpReports, vpHash } from '#database/configurations/vp-report.ts'
import { vpProblemsOf } from '#domain/configurations/vp-check.ts'
import { leavesOf, vpValueAt, withVpValue } from '#domain/configurations/vp-document.ts'
import { newVpDocument, vpSchemaOf } from '#domain/configurations/vp-schema.ts'
import { blobOfVp } from '#server/http/upload.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { vpSchemaProblems } from './vp-schema-check.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

let made = 0
const aConfiguration = (more: { name?: string; document?: JsonObject } = {}) =>
  admin.createVpConfiguration({ params: { merchantId }, body: { name: `Menu ${++made}`, deviceType: 'AZVT', ...more } })
const paramsOf = ({ id }: { id: string }) => ({ merchantId, vpConfigurationId: id })
const edit = (one: VpConfiguration, document: JsonObject, version = one.version) =>
  admin.updateVpConfiguration({
    params: paramsOf(one),
    body: { name: one.name, schemaVersion: one.schemaVersion, document, version },
  })
const send = (one: VpConfiguration, ...machines: { id: string }[]) =>
  admin.sendVpConfiguration({
    params: paramsOf(one),
    body: { version: one.version, machines: { ids: machines.map(({ id }) => id) } },
  })
let seq = 0
/** A report of a machine, as the gateway stores it. */
const report = (machine: TestMachine, document: JsonObject, at = new Date()) =>
  api.database.withTenant(wholeMerchant(machine.merchantId), (db) =>
    insertVpReports(db, [
      {
        merchantId: machine.merchantId,
        machineId: machine.id,
        timeZone: 'Europe/Rome',
        id: randomUUIDv7(),
        epoch: 1,
        seq: ++seq,
        at: at.getTime(),
        machineTime: null,
        report: { seq, at: '2026-11-21T09:00:00', origin: 0, sha256: vpHash(canonicalJson(document)), document },
      },
    ]),
  )
const stateOf = async (one: { id: string }, machine: { id: string }) => {
  const { sync, editedOn } = await admin.getVpMachine({ params: { ...paramsOf(one), posId: machine.id } })
  return [sync, editedOn]
}

test('the form’s check and the validator of JSON Schema agree on every value of every schema', () => {
  const wrong: Json[] = ['text', '', 12, -1, 0.123, 1e9, null, true, [], {}]
  const spoken = (all: readonly { path: string; rule: { key: string } }[]) =>
    new Set(all.map(({ path, rule }) => `${path} ${['rule.whole', 'rule.number'].includes(rule.key) ? '#' : rule.key}`))
  const schemas = [...new Set(vpDeviceTypes.map((type) => vpSchemaOf(type)))].filter((one) => one !== undefined)
  expect(schemas.length).toBeGreaterThan(2)
  for (const schema of schemas) {
    const sound = newVpDocument(schema)
    expect(vpSchemaProblems(schema, sound)).toEqual([])
    for (const path of leavesOf(sound).keys())
      for (const value of wrong) {
        const document = withVpValue(sound, path, value)
        const ownProblems = vpProblemsOf(schema, document)
        const standard = vpSchemaProblems(schema, document)
        // A missing value is said of null as well, and one broken rule is enough.
        expect([path, value, ownProblems.length > 0]).toEqual([path, value, standard.length > 0])
        if (value !== null && value !== '')
          expect([path, value, spoken(ownProblems)]).toEqual([path, value, spoken(standard)])
      }
  }
})

test('a new configuration starts with the defaults of its model and is valid', async () => {
  const one = await aConfiguration()
  expect(one).toMatchObject({ problems: 0, isSchemaKnown: true, version: 1, machines: 0, sha256: expect.any(String) })
  expect(one.schemaVersion).toBe(vpSchemaOf('AZVT')?.['x-version'])
  const { items } = await admin.listVpConfigurations({
    params: { merchantId: allMerchants },
    query: { search: one.name, deviceTypes: ['AZVT'], isValid: 'true' },
  })
  expect(items).toMatchObject([{ id: one.id, name: one.name }])
})

test('a name is taken once, in any case', async () => {
  const one = await aConfiguration()
  const again = aConfiguration({ name: one.name.toUpperCase() })
  await expect(again).rejects.toMatchObject({ status: 409, code: 'VpConfigurationNameAlreadyExists' })
})

test('a draft is saved although invalid, and sent once each named value is corrected', async () => {
  const machine = await aMachine(api.database, merchantId)
  const one = await aConfiguration()
  const hot = withVpValue(one.document, 'boilers.coffeeTemperature', 120)
  const draft = await edit(one, withVpValue(hot, 'recipes.3.steps.1.amount', '38'))
  expect(draft.problems).toBe(2)
  await expect(send(draft, machine)).rejects.toMatchObject({
    status: 400,
    code: 'VpConfigNotValidException',
    errors: [
      { path: 'boilers.coffeeTemperature', rule: 'rule.maximum', values: { maxValue: 98 } },
      { path: 'recipes.3.steps.1.amount', rule: 'rule.number' },
    ],
  })
  expect(await api.database.admin('select 1 from remote_commands where machine_id = $1', [machine.id])).toEqual([])
  const sound = await edit(draft, one.document)
  expect((await send(sound, machine)).sent).toEqual([machine.id])
  const [command] = await api.database.admin('select type, parameters from remote_commands where machine_id = $1', [
    machine.id,
  ])
  expect(command).toEqual({
    type: 19,
    parameters: { name: one.name, schemaVersion: one.schemaVersion, sha256: one.sha256, document: one.document },
  })
})

test('machines of another model, of a merchant without the feature and busy machines are refused one by one', async () => {
  const one = await aConfiguration()
  const good = await aMachine(api.database, merchantId)
  const other = await aMachine(api.database, merchantId, { deviceType: 'CHEX' })
  const { sent, refused } = await send(one, good, other)
  expect([sent, refused]).toEqual([
    [good.id],
    [{ posId: other.id, posName: other.name, code: 'SendVpConfigNotAllowed' }],
  ])
  await expect(send(one, other)).rejects.toMatchObject({ status: 403, code: 'SendVpConfigNotAllowed' })
  await expect(send(one, good)).rejects.toMatchObject({ status: 409, code: 'RemoteCommandPending' })
})

test('a machine is in sync on its own report, edited on the device after that, and pending after a new save', async () => {
  const machine = await aMachine(api.database, merchantId)
  const still = await aMachine(api.database, merchantId)
  const one = await aConfiguration()
  await send(one, machine, still)
  expect(await stateOf(one, machine)).toEqual(['pending', 'portal'])
  await report(machine, one.document)
  expect(await stateOf(one, machine)).toEqual(['sync', null])
  const edited = withVpValue(one.document, 'boilers.coffeeTemperature', 90)
  await report(machine, edited)
  expect(await stateOf(one, machine)).toEqual(['pending', 'device'])
  const { reported } = await admin.getVpMachine({ params: { ...paramsOf(one), posId: machine.id } })
  expect(vpValueAt(reported?.document ?? {}, 'boilers.coffeeTemperature')).toBe(90)
  const { items } = await admin.listVpMachines({ params: paramsOf(one), query: { targets: 'own' } })
  expect(items.map(({ id, editedOn }) => [id, editedOn]).sort()).toEqual(
    [
      [machine.id, 'device'],
      [still.id, 'portal'],
    ].sort(),
  )
  // Taking over what the machine has is a save, and the machine is in sync with it.
  const current = await edit(one, edited)
  expect(await stateOf(current, machine)).toEqual(['sync', null])
  const newer = await edit(current, withVpValue(edited, 'boilers.coffeeTemperature', 94))
  expect(await stateOf(newer, machine)).toEqual(['pending', 'device'])
  expect(newer).toMatchObject({ machines: 2, machinesInSync: 0 })
})

test('a target blocks the deletion of its configuration, and a machine that leaves its merchant loses it', async () => {
  const machine = await aMachine(api.database, merchantId)
  const one = await aConfiguration()
  await send(one, machine)
  const remove = () => admin.deleteVpConfiguration({ params: paramsOf(one) })
  await expect(remove()).rejects.toMatchObject({ code: 'VpConfigurationInUse', facts: { machines: 1 } })
  await admin.deleteMachine({ params: { merchantId, posId: machine.id } })
  expect(await api.database.admin('select 1 from vp_targets where machine_id = $1', [machine.id])).toEqual([])
  await remove()
})

test('an edit on an older version is a conflict with the current record; a repeated save is not', async () => {
  const one = await aConfiguration()
  const ownEdit = withVpValue(one.document, 'boilers.coffeeTemperature', 90)
  const saved = await edit(one, ownEdit)
  expect(await edit(one, ownEdit)).toMatchObject({ version: saved.version })
  await expect(edit(one, withVpValue(one.document, 'display.brightness', 50))).rejects.toMatchObject({
    code: 'EditConflict',
    facts: { current: { version: saved.version, document: ownEdit } },
  })
  const [logged] = await api.database.admin(
    `select before, after from change_log where subject_id = $1 and action = 'vpConfiguration.update'`,
    [one.id],
  )
  expect(logged).toMatchObject({
    before: { 'boilers.coffeeTemperature': 92 },
    after: { 'boilers.coffeeTemperature': 90 },
  })
})

test('a file comes back without a difference; another model, an old schema and invalid values are refused', async () => {
  const one = await aConfiguration()
  const file = await admin.downloadVpConfiguration({ params: paramsOf(one) })
  const upload = (change: object, version = one.version) =>
    admin.uploadVpConfiguration({ params: paramsOf(one), body: { version, file: { ...file, ...change } } })
  expect(await upload({})).toMatchObject({ version: one.version, document: one.document })
  await expect(upload({ deviceType: 'CHEX' })).rejects.toMatchObject({ code: 'VpConfigOfOtherType' })
  await expect(upload({ schemaVersion: '1.0' })).rejects.toMatchObject({ status: 410, code: 'VpSchemaGone' })
  const wrong = { ...withVpValue(file.document, 'boilers.coffeeTemperature', '92'), turbo: true }
  await expect(upload({ document: wrong })).rejects.toMatchObject({
    code: 'VpConfigNotValidException',
    errors: [
      { path: 'file.document.turbo', rule: 'rule.unknownParameter' },
      { path: 'file.document.boilers.coffeeTemperature', rule: 'rule.number' },
    ],
  })
  await expect(upload({ document: { x: 'x'.repeat(2 * 1024 * 1024) } })).rejects.toMatchObject({ status: 413 })
  await expect(upload({ document: { x: 'a\0b' } })).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('a configuration of a schema version that is gone can be read and moved to the current one, not sent', async () => {
  const machine = await aMachine(api.database, merchantId)
  const one = await aConfiguration()
  await api.database.admin(`update vp_configurations set schema_version = '1.0' where id = $1`, [one.id])
  const old = await admin.getVpConfiguration({ params: paramsOf(one) })
  expect(old).toMatchObject({ isSchemaKnown: false, schemaVersion: '1.0', currentSchemaVersion: one.schemaVersion })
  await expect(send(old, machine)).rejects.toMatchObject({
    code: 'VpSchemaGone',
    facts: { schemaVersion: '1.0', current: one.schemaVersion },
  })
  const moved = await edit({ ...old, schemaVersion: one.schemaVersion }, old.document)
  expect((await send(moved, machine)).sent).toEqual([machine.id])
})

test('a document above a message’s size is a file that only its machine fetches with its own secret', async () => {
  const machine = await aMachine(api.database, merchantId)
  const other = await aMachine(api.database, merchantId)
  const plain = await aConfiguration()
  const recipe = vpValueAt(plain.document, 'recipes.3') as JsonObject
  const [step] = recipe.steps as Json[]
  const steps = Array.from({ length: 16 }, () => step ?? null)
  const recipes = Array.from({ length: 99 }, (_, index) => ({ ...recipe, selection: index + 1, steps }))
  const large = await edit(plain, withVpValue(plain.document, 'recipes', recipes))
  await send(large, machine)
  const [command] = await api.database.admin<{ parameters: { file: { url: string; sha256: string; bytes: number } } }>(
    'select parameters from remote_commands where machine_id = $1',
    [machine.id],
  )
  const { url, sha256, bytes } = command?.parameters.file ?? { url: '', sha256: '', bytes: 0 }
  expect([sha256, bytes > 65_536]).toEqual([large.sha256, true])
  const gateway = await aGateway(api.database)
  const blob = new URL(url).pathname.split('/').at(-1) ?? ''
  expect(await api.blobs.size(blobOfVp(blob))).toBe(bytes)
  await gateway.blobs.put(blobOfVp(blob), [canonicalJson(large.document)])
  const fetchAs = ({ serial, secret }: TestMachine, path = new URL(url).pathname) =>
    fetch(new URL(path, gateway.httpUrl), { headers: { authorization: `Basic ${btoa(`${serial}:${secret}`)}` } })
  const answer = await fetchAs(machine)
  expect(vpHash(await answer.text())).toBe(sha256)
  const foreign = await fetchAs(other, new URL(url).pathname.replace(machine.serial, other.serial))
  expect(foreign.status).toBe(404)
})
