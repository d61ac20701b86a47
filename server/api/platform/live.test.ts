import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#contract/frame/limits.ts'
import { LiveMessage } from '#contract/frame/live.ts'
import { type GatewayHints, type LiveHub, startLiveHub } from '#server/live/hub.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { anApiToken } from '#testkit/api-tokens.ts'
import { systemAddressOf } from '#testkit/database.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let elsewhere: LiveHub
let url: string
beforeAll(async () => {
  api = await openTestApi()
  elsewhere = await startLiveHub(systemAddressOf(api.database.adminUrl))
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const address = api.app.server.address() as { port: number }
  url = `http://127.0.0.1:${address.port}/api/v1/users/me/live`
})
afterAll(async () => {
  await elsewhere.stop()
  await api.close()
})

/** Opens the stream for a user and collects hints. */
async function watch(user: TestUser) {
  const stop = new AbortController()
  const answer = await fetch(url, { headers: { authorization: `Bearer ${api.tokenOf(user)}` }, signal: stop.signal })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  const hints: LiveMessage[] = []
  const read = async () => {
    let text = ''
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk)
      hints.splice(
        0,
        hints.length,
        ...[...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] as string)),
      )
    }
  }
  let isOpen = true
  const reading = read()
    .catch(() => {})
    .finally(() => {
      isOpen = false
    })
  return {
    hints,
    isOpen: () => isOpen,
    close: async () => {
      stop.abort()
      await reading
    },
  }
}

test('one user’s streams are limited, and do not count toward the limit of another user', async () => {
  const one = await aUser(api.database, 'merchantUser', [])
  const streams = await Promise.all(Array.from({ length: limits.liveStream.most }, () => watch(one)))
  const ask = async (user: TestUser) => {
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${api.tokenOf(user)}` }
    const { status } = await fetch(url, { headers, signal: stop.signal })
    stop.abort()
    return status
  }
  expect(await ask(one)).toBe(429)
  expect(await ask(await aUser(api.database, 'merchantUser', []))).toBe(200)
  for (const stream of streams) await stream.close()
  await expect.poll(() => ask(one)).toBe(200)
})

test('a hint from another process reaches only users who may see the machine', async () => {
  const ownMerchant = await aMerchant(api.database)
  const otherMerchant = await aMerchant(api.database)
  const north = await aGroup(api.database, ownMerchant.id)
  const south = await aGroup(api.database, ownMerchant.id)
  const machine = await aMachine(api.database, ownMerchant.id, { groupId: north })
  const streams = {
    admin: await watch(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchant.id, groups: 'all' }])),
    north: await watch(await aUser(api.database, 'groupAdmin', [{ merchantId: ownMerchant.id, groups: [north] }])),
    south: await watch(await aUser(api.database, 'groupAdmin', [{ merchantId: ownMerchant.id, groups: [south] }])),
    stranger: await watch(
      await aUser(api.database, 'merchantAdmin', [{ merchantId: otherMerchant.id, groups: 'all' }]),
    ),
  }
  elsewhere.announce(ownMerchant.id, 'alarm', machine.id)
  elsewhere.announce(ownMerchant.id, 'transaction', machine.id)
  await expect.poll(() => streams.north.hints.length, { timeout: 5000 }).toBe(1)
  const hint = { merchantId: ownMerchant.id, topics: ['alarm', 'transaction'], posIds: [machine.id] }
  expect(streams.north.hints).toEqual([hint])
  expect(streams.admin.hints).toEqual([hint])
  expect(streams.south.hints).toEqual([])
  expect(streams.stranger.hints).toEqual([])
  for (const stream of Object.values(streams)) await stream.close()
})

test('moving, hiding or deleting a machine is announced with the groups and clients that count it', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const from = await aGroup(api.database, merchantId)
  const to = await aGroup(api.database, merchantId)
  const clientId = await aClient(api.database, merchantId)
  const { id: posId } = await aMachine(api.database, merchantId, { groupId: from })
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const left = await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [from] }])
  const whole = await watch(admin)
  const confined = await watch(left)
  const by = api.as(admin)
  const params = { merchantId, posId }
  const hintOf = (topics: string[], posIds = [posId]) => ({ merchantId, topics, posIds })
  /** The last hint of a change, for a user of the whole merchant and for a user of the machine's previous group. */
  const receives = async (all: object, some: object) => {
    await expect.poll(() => [whole.hints.at(-1), confined.hints.at(-1)], { timeout: 5000 }).toEqual([all, some])
  }
  await by.updateMachine({ params, body: { version: 1, name: 'Renamed' } })
  await receives(hintOf(['machine']), hintOf(['machine']))
  await by.updateMachine({ params, body: { version: 2, groupId: to, clientId } })
  await receives(hintOf(['machine', 'group', 'client']), hintOf(['group', 'client'], []))
  await by.hideMachine({ params, body: { hidden: true } })
  await receives(hintOf(['machine', 'alarm', 'group']), hintOf(['group'], []))
  await by.deleteMachine({ params })
  await receives(hintOf(['machine', 'alarm', 'command', 'group', 'client']), hintOf(['group', 'client'], []))
  await whole.close()
  await confined.close()
})

test('hints for gateways reach gateways in every process and no stream, even for a deleted machine', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const machine = await aMachine(api.database, merchantId)
  const other = await aMachine(api.database, merchantId)
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const streams = [await watch(admin), await watch(await aUser(api.database, 'superAdmin', []))]
  const hints: GatewayHints[] = []
  const leave = elsewhere.subscribeGateway((news) => news.merchantId === merchantId && hints.push(news))
  await api.as(admin).deleteMachine({ params: { merchantId, posId: machine.id } })
  await expect
    .poll(() => hints, { timeout: 5000 })
    .toEqual([{ merchantId, words: ['machineDeleted'], machineIds: [machine.id] }])
  elsewhere.announceToGateways(merchantId, 'commandWaiting', other.id)
  await expect.poll(() => hints.length, { timeout: 5000 }).toBe(2)
  elsewhere.announce(merchantId, 'note', other.id)
  const last = { merchantId, topics: ['note'], posIds: [other.id] }
  await expect.poll(() => streams[0]?.hints.at(-1), { timeout: 5000 }).toEqual(last)
  for (const { hints } of streams)
    for (const hint of hints) {
      expect(LiveMessage.safeParse(hint).success).toBe(true)
      expect(JSON.stringify(hint)).not.toMatch(/machineDeleted|commandWaiting|machineIds/)
    }
  leave()
  for (const stream of streams) await stream.close()
})

test('browsers and API tokens can neither receive nor send hints for gateways', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const machine = await aMachine(api.database, merchantId)
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const { token } = await anApiToken(api.database, merchantId)
  const hints: unknown[] = []
  const leave = elsewhere.subscribeGateway((news) => news.merchantId === merchantId && hints.push(news))
  const news = { merchantId, words: ['machineDeleted'], machineIds: [machine.id] }
  const statuses = []
  for (const bearer of [api.tokenOf(admin), token]) {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    for (const method of ['POST', 'PUT', 'PATCH'])
      statuses.push((await fetch(url, { method, headers, body: JSON.stringify(news) })).status)
  }
  expect(statuses).toEqual([404, 404, 404, 404, 404, 404])
  expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(403)
  const response = await fetch(`${url}?topics=machineDeleted`, {
    headers: { authorization: `Bearer ${api.tokenOf(admin)}` },
  })
  expect(response.status).toBe(400)
  // The next hint has arrived, so no earlier hint is pending.
  elsewhere.announceToGateways(merchantId, 'commandWaiting', machine.id)
  await expect.poll(() => hints, { timeout: 5000 }).toEqual([{ ...news, words: ['commandWaiting'] }])
  leave()
})

const changed = { person: 'changed' }

test('a suspended user loses every stream at once, announced by any process; other users keep theirs', async () => {
  const ownMerchant = await aMerchant(api.database)
  const everything = [{ merchantId: ownMerchant.id, groups: 'all' as const }]
  const one = await aUser(api.database, 'merchantAdmin', everything)
  const other = await aUser(api.database, 'merchantAdmin', everything)
  const streams = [await watch(one), await watch(one), await watch(other)]
  await api.database.admin(`update users set status = 'suspended' where id = $1`, [one.id])
  elsewhere.announceUser(one.id)
  await expect.poll(() => streams.map((stream) => stream.isOpen())).toEqual([false, false, true])
  const refused = await api.send('getMe', {}, one)
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'UnauthorizedUserException'])
  await streams[2]?.close()
})

test('streams of ended sessions close; a stream of a newer session stays', async () => {
  const one = await aUser(api.database, 'merchantUser', [])
  const older = await watch(one)
  const endedAt = new Date(Date.now() + 1)
  await api.database.admin('update users set sessions_valid_from = $2 where id = $1', [one.id, endedAt])
  await expect.poll(() => Date.now() > endedAt.getTime()).toBe(true)
  const newer = await watch(one)
  elsewhere.announceUser(one.id)
  await expect.poll(() => older.isOpen()).toBe(false)
  expect(newer.isOpen()).toBe(true)
  await newer.close()
})

test('a user who loses groups is notified and loses the stream; the next stream carries no hints of those groups', async () => {
  const ownMerchant = await aMerchant(api.database)
  const north = await aGroup(api.database, ownMerchant.id)
  const south = await aGroup(api.database, ownMerchant.id)
  const machines = [
    await aMachine(api.database, ownMerchant.id, { groupId: north }),
    await aMachine(api.database, ownMerchant.id, { groupId: south }),
  ] as const
  const admin = await aUser(api.database, 'groupAdmin', [{ merchantId: ownMerchant.id, groups: [north, south] }])
  const stream = await watch(admin)
  await api.database.admin('delete from user_groups where user_id = $1 and group_id = $2', [admin.id, south])
  elsewhere.announceUser(admin.id)
  await expect.poll(() => stream.isOpen()).toBe(false)
  expect(stream.hints).toEqual([changed])
  const next = await watch(admin)
  for (const machine of machines) elsewhere.announce(ownMerchant.id, 'alarm', machine.id)
  const hint = { merchantId: ownMerchant.id, topics: ['alarm'], posIds: [machines[0].id] }
  await expect.poll(() => next.hints, { timeout: 5000 }).toEqual([hint])
  await next.close()
})

test('a demoted user is notified and loses the stream; other announcements change nothing', async () => {
  const one = await aUser(api.database, 'merchantAdmin', [])
  const other = await aUser(api.database, 'merchantAdmin', [])
  const streams = [await watch(one), await watch(other)]
  await api.database.admin(`update users set role = 'merchantUser' where id = $1`, [one.id])
  for (const { id } of [one, other]) elsewhere.announceUser(id)
  await expect.poll(() => streams.map((stream) => stream.isOpen())).toEqual([false, true])
  expect(streams.map(({ hints }) => hints)).toEqual([[changed], []])
  await streams[1]?.close()
})

test('streams end when hints may have been lost, so that readers reconnect and catch up', async () => {
  const one = await aUser(api.database, 'merchantUser', [])
  const stream = await watch(one)
  await api.database.admin(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gettone_live' and datname = current_database()`,
  )
  await expect.poll(() => stream.isOpen(), { timeout: 5000 }).toBe(false)
  const again = await watch(one)
  await api.database.admin(`update users set status = 'suspended' where id = $1`, [one.id])
  // Either hub may have reconnected first; an announcement reaches the other.
  await expect
    .poll(
      () => {
        elsewhere.announceUser(one.id)
        return again.isOpen()
      },
      { timeout: 5000 },
    )
    .toBe(false)
})

test('a server that stops disconnects its readers', async () => {
  const other = await openTestApi()
  await other.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.app.server.address() as { port: number }
  const headers = { authorization: `Bearer ${other.tokenOf(await aUser(other.database, 'merchantUser', []))}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/users/me/live`, { headers })
  const reading = answer.text()
  await other.close()
  expect(await reading).toContain('retry')
})

test('a licence change is announced at once to its user; an edit without a change is not announced', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const membership = { merchantId, allGroups: true, groupIds: [] }
  const one = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const provider = api.as(await aUser(api.database, 'superAdmin', []))
  const stream = await watch(one)
  const params = { userId: one.id }
  const save = async (change: { allowLicensing?: boolean; receiveNotifications?: boolean }) => {
    const { version, email, name, language, role, receiveNotifications } = await provider.getUser({ params })
    const unchanged = { version, email, name, language, role, receiveNotifications, merchants: [membership] }
    await provider.updateUser({ params, body: { ...unchanged, isSuspended: false, ...change } })
  }
  const mayLicense = async () => (await api.as(one).getMe({})).mayLicense
  await save({ receiveNotifications: true })
  await save({ allowLicensing: true })
  await expect.poll(() => stream.hints).toEqual([changed])
  expect(await mayLicense()).toBe(true)
  const next = await watch(one)
  await save({ allowLicensing: false })
  await expect.poll(() => next.hints).toEqual([changed])
  expect(await mayLicense()).toBe(false)
  await next.close()
})
