import { randomUUID } from 'node:crypto'
import { parseCsv } from 'hucre/csv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const of = (clientId: string) => ({ merchantId, clientId })
const bare = (name: string) => ({ code: name, name, country: 'IT' })
const create = (body: Record<string, unknown>, by = admin) =>
  by.createClient({ params: { merchantId }, body: body as never })
const clientOf = async (machineId: string) =>
  (
    await api.database.admin<{ client_id: string | null }>('select client_id from machines where id = $1', [machineId])
  )[0]?.client_id
const refused = (code: string) => expect.objectContaining({ code })

const whole = {
  code: 'C-1',
  name: 'Caffè Aurora',
  companyName: 'Aurora S.r.l.',
  sector: 'office' as const,
  country: 'IT',
  address: 'Piazza dei Cinquecento 1',
  zipCode: '00185',
  city: 'Roma',
  province: 'Roma',
  phone: '+390669821234',
  website: 'https://aurora.test',
  vatCode: '00743110157',
  contactName: 'Anna Bianchi',
  contactEmail: 'anna@aurora.test',
  commissionKind: 'percent' as const,
  commissionPercent: 12.5,
  commissionPerVend: null,
}

test('a client is added, read, changed and deleted, with an entry in the change log each time', async () => {
  const made = await create(whole)
  expect(made).toMatchObject({ ...whole, merchantId, version: 1, machines: 0, timeZone: 'Europe/Rome' })
  expect(await admin.getClient({ params: of(made.id) })).toEqual(made)
  const body = { ...whole, version: 1, city: 'Ostia', phone: null }
  const changed = await admin.updateClient({ params: of(made.id), body })
  expect(changed).toEqual({ ...made, version: 2, city: 'Ostia', phone: null })
  await admin.deleteClient({ params: of(made.id) })
  await expect(admin.getClient({ params: of(made.id) })).rejects.toEqual(refused('ClientNotFound'))
  const log = await api.database.admin(
    'select action, before, after from change_log where subject_id = $1 order by at',
    [made.id],
  )
  expect(log).toEqual([
    { action: 'client.create', before: null, after: whole },
    { action: 'client.update', before: whole, after: { ...whole, city: 'Ostia', phone: null } },
    { action: 'client.delete', before: { ...whole, city: 'Ostia', phone: null }, after: null },
  ])
})

test('a file of clients has the agreed commission, in percent or per vend', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }])
  const add = (name: string, commission: object) =>
    api.as(person).createClient({ params: { merchantId: ownMerchantId }, body: { ...bare(name), ...commission } })
  await add('A', { commissionKind: 'percent', commissionPercent: 12.5 })
  await add('B', { commissionKind: 'perVend', commissionPerVend: 5 })
  await add('C', {})
  const body = { list: 'clients', format: 'csv', language: 'en', columns: ['name', 'commission'], filter: {} }
  const file = await api.send('exportShown', { params: { merchantId: ownMerchantId }, body }, person)
  expect(parseCsv(file.rawPayload.toString('utf8').replace(/^\ufeff/, ''))).toEqual([
    ['Name', 'Commission (%)', 'Commission per vend (EUR)'],
    ['A', '12.50', ''],
    ['B', '', '0.05'],
    ['C', '', ''],
  ])
})

test('codes are stored in their country’s format', async () => {
  const mexican = { ...bare('Codes'), country: 'MX', zipCode: ' 06600 ', vatCode: 'MAB-930714 8T4' }
  expect(await create(mexican)).toMatchObject({ zipCode: '06600', vatCode: 'MAB9307148T4' })
  const polish = { ...bare('Codes of Poland'), country: 'PL', zipCode: '00950' }
  expect(await create(polish)).toMatchObject({ zipCode: '00-950', vatCode: null })
})

test('a code and a name are unique within a merchant in any spelling, even with simultaneous calls', async () => {
  const made = await Promise.allSettled(['Twice', 'TWICE', 'twice'].map((name) => create(bare(name))))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of made)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409, code: 'ClientAlreadyExists' })
  const refusal = (field: string) => ({ status: 409, code: 'ClientAlreadyExists', facts: { field } })
  await expect(create({ ...bare('Another'), code: 'twice' })).rejects.toMatchObject(refusal('code'))
  await expect(create({ ...bare('Another'), name: 'tWICE' })).rejects.toMatchObject(refusal('name'))
  const other = await create(bare('Once'))
  const body = { ...bare('Twice'), code: 'Once', version: 1 }
  await expect(admin.updateClient({ params: of(other.id), body })).rejects.toMatchObject(refusal('name'))
  const elsewhere = (await aMerchant(api.database)).id
  const otherAdmin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: elsewhere, groups: 'all' }]))
  expect(await otherAdmin.createClient({ params: { merchantId: elsewhere }, body: bare('Twice') })).toMatchObject({
    name: 'Twice',
  })
})

test('right-to-left names, emoji and a leading = are stored unchanged', async () => {
  for (const name of ['مقهى الشمال', '🥤🇮🇹 Milano', '=HYPERLINK("http://x")', 'x'.repeat(200)])
    expect((await create({ ...bare(name), code: randomUUID() })).name).toBe(name)
  expect((await create(bare('\u202Eover\u202C\nthere'))).name).toBe('over there')
})

test('an invalid field is refused by name', async () => {
  const wrongs: [string, unknown][] = [
    ['name', 'x'.repeat(10_000)],
    ['name', '  '],
    ['code', 'x'.repeat(51)],
    ['code', 'a\0b'],
    ['country', 'XX'],
    ['zipCode', '0018'],
    ['zipCode', "00185'; drop table clients; --"],
    ['zipCode', '٠٠١٨٥'],
    ['vatCode', '00743110158'],
    ['vatCode', '9'.repeat(40)],
    ['vatCode', '<script>alert(1)</script>'],
    ['phone', '0669821234'],
    ['website', 'javascript:alert(1)'],
    ['contactEmail', 'anna@'],
  ]
  const by = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  for (const [field, value] of wrongs) {
    const body = { ...whole, code: randomUUID(), name: randomUUID(), [field]: value }
    const answer = await api.send('createClient', { params: { merchantId }, body }, by)
    expect(answer.json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
    const { errors } = answer.json() as { errors: { path: string }[] }
    expect(new Set(errors.map(({ path }) => path))).toEqual(new Set([field]))
  }
})

test('read-only fields are refused', async () => {
  const made = await create(bare('Sound'))
  const fields = { merchantId, id: randomUUID(), machines: 3, createdAt: '2026-01-01T00:00:00', credit: 1, role: 'x' }
  for (const [field, value] of Object.entries(fields)) {
    await expect(create({ ...bare(randomUUID()), [field]: value })).rejects.toEqual(refused('ValidationFailed'))
    const body = { ...bare('Sound'), version: 1, [field]: value }
    await expect(admin.updateClient({ params: of(made.id), body })).rejects.toEqual(refused('ValidationFailed'))
  }
  await expect(create({ ...bare('Sound 2'), version: 1 })).rejects.toEqual(refused('ValidationFailed'))
})

test('of two simultaneous edits of a client the later gets the current record and its editor', async () => {
  const { id } = await create(bare('Contested'))
  const edit = (name: string) => admin.updateClient({ params: of(id), body: { ...bare(name), version: 1 } })
  await edit('Theirs')
  await expect(edit('Mine')).rejects.toMatchObject({
    status: 409,
    code: 'EditConflict',
    facts: { current: { name: 'Theirs', version: 2 }, changedBy: 'Test merchantAdmin' },
  })
  // The same content is stored already: only the first response was lost.
  expect(await edit('Theirs')).toMatchObject({ version: 2 })
})

test('machines are assigned to a client and removed, each with its entry in the change log', async () => {
  const from = await aClient(api.database, merchantId)
  const to = await aClient(api.database, merchantId)
  const one = await aMachine(api.database, merchantId, { columns: { client_id: from } })
  const other = await aMachine(api.database, merchantId, { columns: { client_id: to, hidden: true } })
  const body = { added: { ids: [one.id] }, removed: { ids: [other.id] } }
  expect(await admin.moveClientMachines({ params: of(to), body })).toEqual({ added: 1, removed: 1 })
  expect([await clientOf(one.id), await clientOf(other.id)]).toEqual([to, null])
  expect(await admin.moveClientMachines({ params: of(to), body })).toEqual({ added: 0, removed: 0 })
  const log = await api.database.admin('select before, after from change_log where subject_id = any($1)', [
    [one.id, other.id],
  ])
  expect(log).toHaveLength(2)
  expect(log).toContainEqual({ before: { clientId: from }, after: { clientId: to } })
  expect((await admin.getClient({ params: of(to) })).machines).toBe(1)
})

test('all matching machines are assigned at once, if their number matches the confirmed one', async () => {
  const client = await aClient(api.database, merchantId)
  const name = `Hall ${randomUUID()}`
  const machines = [0, 1, 2].map((n) => aMachine(api.database, merchantId, { name: `${name} ${n}` }))
  const ids = (await Promise.all(machines)).map(({ id }) => id)
  const move = (count: number, except: string[] = []) =>
    admin.moveClientMachines({
      params: of(client),
      body: { added: { matching: { search: name, others: 'true' }, count, except } },
    })
  await expect(move(2)).rejects.toMatchObject({ code: 'SelectionChanged', facts: { count: 3 } })
  expect(await move(2, [ids[0] as string])).toEqual({ added: 2, removed: 0 })
  const query = { search: name }
  const here = await admin.listClientMachines({ params: of(client), query })
  expect(here.items.map((machine) => machine.name)).toEqual([`${name} 1`, `${name} 2`])
  const others = await admin.listClientMachines({ params: of(client), query: { ...query, others: 'true' } })
  expect(others.items).toMatchObject([{ id: ids[0], clientId: null }])
})

test('an unknown machine, or one of another merchant, refuses the whole change', async () => {
  const client = await aClient(api.database, merchantId)
  const elsewhere = (await aMerchant(api.database)).id
  const ownMachine = await aMachine(api.database, merchantId)
  const foreign = await aMachine(api.database, elsewhere)
  const both = [merchantId, elsewhere].map((id) => ({ merchantId: id, groups: 'all' as const }))
  const admins = api.as(await aUser(api.database, 'merchantAdmin', both))
  for (const id of [foreign.id, randomUUID()]) {
    const params = { merchantId: allMerchants, clientId: client }
    const moving = admins.moveClientMachines({ params, body: { added: { ids: [ownMachine.id, id] } } })
    await expect(moving).rejects.toMatchObject({ status: 404, code: 'MachineNotFound' })
  }
  expect(await clientOf(ownMachine.id)).toBeNull()
  const nothing = admin.moveClientMachines({ params: of(client), body: {} })
  await expect(nothing).rejects.toEqual(refused('ValidationFailed'))
})

test('another merchant’s client does not exist, not even under one’s own merchant', async () => {
  const client = await aClient(api.database, (await aMerchant(api.database)).id)
  const machine = await aMachine(api.database, merchantId)
  for (const call of [
    () => admin.getClient({ params: of(client) }),
    () => admin.updateClient({ params: of(client), body: { ...bare('A'), version: 1 } }),
    () => admin.deleteClient({ params: of(client) }),
    () => admin.listClientMachines({ params: of(client) }),
    () => admin.moveClientMachines({ params: of(client), body: { added: { ids: [machine.id] } } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404, code: 'ClientNotFound' })
})

test('a user limited to some groups sees every client of the merchant, but only machines of these groups', async () => {
  const ownGroup = await aGroup(api.database, merchantId)
  const other = await aGroup(api.database, merchantId)
  const client = await aClient(api.database, merchantId, { name: `Shared ${randomUUID()}` })
  const at = { columns: { client_id: client } }
  const ownMachine = await aMachine(api.database, merchantId, { groupId: ownGroup, ...at })
  const hidden = await aMachine(api.database, merchantId, { groupId: other, ...at })
  const narrow = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [ownGroup] }]))
  expect((await narrow.getClient({ params: of(client) })).machines).toBe(1)
  expect((await admin.getClient({ params: of(client) })).machines).toBe(2)
  for (const others of ['false', 'true'] as const) {
    const { items } = await narrow.listClientMachines({ params: of(client), query: { others } })
    expect(items.map(({ id }) => id)).not.toContain(hidden.id)
  }
  const taking = narrow.moveClientMachines({ params: of(client), body: { removed: { ids: [hidden.id] } } })
  await expect(taking).rejects.toEqual(refused('MachineNotFound'))
  const facts = { machines: 1, firstMachines: [{ id: ownMachine.id, name: ownMachine.name }], hasOthers: true }
  await expect(narrow.deleteClient({ params: of(client) })).rejects.toMatchObject({ code: 'ClientInUse', facts })
  await narrow.moveClientMachines({ params: of(client), body: { removed: { ids: [ownMachine.id] } } })
  await expect(narrow.deleteClient({ params: of(client) })).rejects.toMatchObject({
    code: 'ClientInUse',
    facts: { machines: 0, firstMachines: [], hasOthers: true },
  })
})

test('a client in use cannot be deleted and names its machines, including hidden ones', async () => {
  const client = await aClient(api.database, merchantId)
  const machine = await aMachine(api.database, merchantId, { columns: { client_id: client, hidden: true } })
  await expect(admin.deleteClient({ params: of(client) })).rejects.toMatchObject({
    status: 409,
    code: 'ClientInUse',
    facts: { machines: 1, firstMachines: [{ id: machine.id, name: machine.name }], hasOthers: false },
  })
})

test('a machine that joins a client during its deletion either keeps it or finds it missing', async () => {
  for (let again = 0; again < 5; again++) {
    const client = await aClient(api.database, merchantId)
    const machine = await aMachine(api.database, merchantId)
    const [moved, deleted] = await Promise.allSettled([
      admin.moveClientMachines({ params: of(client), body: { added: { ids: [machine.id] } } }),
      admin.deleteClient({ params: of(client) }),
    ])
    expect([moved.status, deleted.status].sort()).toEqual(['fulfilled', 'rejected'])
    if (moved.status === 'rejected') expect(moved.reason).toMatchObject({ code: 'ClientNotFound' })
    if (deleted.status === 'rejected') expect(deleted.reason).toMatchObject({ code: 'ClientInUse' })
  }
})

test('clients can be searched, filtered by country and machines, and sorted', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const someone = api.as(await aUser(api.database, 'merchantUser', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const rows = [
    { code: 'b', name: 'alpha', city: 'Zürich', country: 'CH', company_name: '100%_real AG' },
    { code: 'C', name: 'Bravo', city: 'Aosta', country: 'IT', contact_name: 'Anna Bianchi' },
    { code: 'a', name: 'charlie', country: 'IT', vat_code: '00743110157' },
  ]
  const ids: string[] = []
  for (const [day, row] of rows.entries())
    ids.push(await aClient(api.database, ownMerchantId, { ...row, created_at: new Date(Date.UTC(2026, 0, day + 1)) }))
  await aMachine(api.database, ownMerchantId, { columns: { client_id: ids[1] } })
  const names = async (query: object) =>
    (await someone.listClients({ params: { merchantId: ownMerchantId }, query })).items.map(({ name }) => name)
  expect(await names({})).toEqual(['alpha', 'Bravo', 'charlie'])
  expect(await names({ ord: 'code', ordType: 'DESC' })).toEqual(['Bravo', 'alpha', 'charlie'])
  expect(await names({ ord: 'city' })).toEqual(['Bravo', 'alpha', 'charlie'])
  expect(await names({ ord: 'createdAt', ordType: 'DESC' })).toEqual(['charlie', 'Bravo', 'alpha'])
  expect(await names({ search: 'bianchi' })).toEqual(['Bravo'])
  expect(await names({ search: '743110' })).toEqual(['charlie'])
  expect(await names({ search: '100%_r' })).toEqual(['alpha'])
  expect(await names({ search: '%%%' })).toEqual([])
  expect(await names({ countries: ['IT', 'FR'] })).toEqual(['Bravo', 'charlie'])
  expect(await names({ hasMachines: 'true' })).toEqual(['Bravo'])
  expect(await names({ hasMachines: 'false', search: 'alpha' })).toEqual(['alpha'])
  expect(await names({ size: 1, page: 2 })).toEqual(['Bravo'])
})

test('more matches than the counting limit are still returned page by page', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const someone = api.as(await aUser(api.database, 'merchantUser', [{ merchantId: ownMerchantId, groups: 'all' }]))
  await api.database.admin(
    `insert into clients (merchant_id, id, code, name, country, created_at)
     select $1, gen_random_uuid(), 'K' || n, 'Kiosk ' || lpad(n::text, 5, '0'), 'IT', now() from generate_series(1, 10001) n`,
    [ownMerchantId],
  )
  const ask = (query: object) => someone.listClients({ params: { merchantId: ownMerchantId }, query })
  const many = await ask({ search: 'kiosk', size: 2 })
  expect(many).toMatchObject({ total: 1_000, capped: true, items: [{ name: 'Kiosk 00001' }, { name: 'Kiosk 00002' }] })
  expect(await ask({ search: 'kiosk', hasMachines: 'true' })).toEqual({
    items: [],
    total: 0,
    capped: false,
    totals: [],
  })
  expect(await ask({ search: 'iosk 0000' })).toMatchObject({ total: 9, capped: false })
})

test('under all merchants each client names its merchant, and none can be created', async () => {
  const other = await aMerchant(api.database)
  const client = await aClient(api.database, other.id, { name: `Theirs ${randomUUID()}` })
  const both = [merchantId, other.id].map((id) => ({ merchantId: id, groups: 'all' as const }))
  const admins = api.as(await aUser(api.database, 'merchantAdmin', both))
  const { items } = await admins.listClients({ params: { merchantId: allMerchants }, query: { search: 'theirs' } })
  expect(items).toContainEqual(expect.objectContaining({ id: client, merchantName: other.name, merchantId: other.id }))
  const adding = admins.createClient({ params: { merchantId: allMerchants }, body: bare('Nobody’s') })
  await expect(adding).rejects.toMatchObject({ status: 400, code: 'MerchantNotSelected' })
})
