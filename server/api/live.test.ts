import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiveHint } from '#contract/live.ts'
import { withUser } from '#database/pool.ts'
import { type LiveHub, startLiveHub } from '#server/live/hub.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { rolePassword } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { streamsPerPerson } from './live.ts'

let api: TestApi
let elsewhere: LiveHub
let url: string
beforeAll(async () => {
  api = await openTestApi()
  elsewhere = await startLiveHub(withUser(api.database.adminUrl, 'gettone_system', rolePassword))
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const address = api.app.server.address() as { port: number }
  url = `http://127.0.0.1:${address.port}/api/v1/users/me/live`
})
afterAll(async () => {
  await elsewhere.stop()
  await api.close()
})

/** Opens the stream as somebody and gathers hints. */
async function watch(user: TestUser) {
  const stop = new AbortController()
  const answer = await fetch(url, { headers: { authorization: `Bearer ${api.tokenOf(user)}` }, signal: stop.signal })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  const hints: LiveHint[] = []
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
  const reading = read().catch(() => {})
  return {
    hints,
    close: async () => {
      stop.abort()
      await reading
    },
  }
}

test('one person’s streams do not take all connections; another person’s are not counted among them', async () => {
  const one = await aUser(api.database, 'merchantUser', [])
  const streams = await Promise.all(Array.from({ length: streamsPerPerson }, () => watch(one)))
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

test('a hint from another process reaches those who may see the machine, and no others', async () => {
  const [mine, theirs] = [await aMerchant(api.database), await aMerchant(api.database)]
  const [north, south] = [await aGroup(api.database, mine.id), await aGroup(api.database, mine.id)]
  const machine = await aMachine(api.database, mine.id, { groupId: north })
  const streams = {
    admin: await watch(await aUser(api.database, 'merchantAdmin', [{ merchantId: mine.id, groups: 'all' }])),
    north: await watch(await aUser(api.database, 'groupAdmin', [{ merchantId: mine.id, groups: [north] }])),
    south: await watch(await aUser(api.database, 'groupAdmin', [{ merchantId: mine.id, groups: [south] }])),
    stranger: await watch(await aUser(api.database, 'merchantAdmin', [{ merchantId: theirs.id, groups: 'all' }])),
  }
  elsewhere.announce(mine.id, 'alarm', machine.id)
  elsewhere.announce(mine.id, 'transaction', machine.id)
  await expect.poll(() => streams.north.hints.length, { timeout: 5000 }).toBe(1)
  const hint = { merchantId: mine.id, topics: ['alarm', 'transaction'], posIds: [machine.id] }
  expect(streams.north.hints).toEqual([hint])
  expect(streams.admin.hints).toEqual([hint])
  expect(streams.south.hints).toEqual([])
  expect(streams.stranger.hints).toEqual([])
  for (const stream of Object.values(streams)) await stream.close()
})
