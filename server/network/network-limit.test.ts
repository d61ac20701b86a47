import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { limits } from '#contract/frame/limits.ts'
import { countCall } from '#database/frame/call-count.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

test('two servers together accept no more requests for sign-in links from one network than one', async () => {
  const servers = [api.app, await api.another()]
  const { most, seconds } = limits.customerLink
  const share = Math.ceil(most * 0.75)
  const intervalNow = () => Math.floor(Date.now() / (seconds * 1000))
  const ask = (server: (typeof servers)[number], remoteAddress: string) =>
    server.inject({ method: 'POST', url: '/api/v1/customer/sign-in/no-portal/link', remoteAddress, payload: {} })
  const round = async (network: string) => {
    const began = intervalNow()
    const answers = await Promise.all(
      servers.flatMap((server) => Array.from({ length: share }, () => ask(server, network))),
    )
    return began === intervalNow() ? answers.filter(({ statusCode }) => statusCode === 429).length : undefined
  }
  // An interval may end within the first round, not within both.
  expect((await round('203.0.113.20')) ?? (await round('203.0.113.21'))).toBe(2 * share - most)
  expect((await ask(api.app, '203.0.113.22')).statusCode).toBe(400)
})

test('every limited public call is counted for all servers, except the portal’s public content', () => {
  const open = Object.values(endpoints).flatMap(({ needs, limit }) => (needs === 'anyone' && limit ? [limit] : []))
  const unshared = [...new Set(open)].filter((limit) => !('isShared' in limits[limit]))
  expect(unshared).toEqual(['publicPortal'])
})

test('counts of ended intervals are deleted', async () => {
  const ended = new Date(Date.now() - 3 * 3_600_000)
  const now = new Date()
  await countCall(api.database, 'machinePage', '203.0.113.30', ended)
  await countCall(api.database, 'machinePage', '203.0.113.31', now)
  const rows = await api.database.admin<{ network: string }>(
    `select network from call_counts where network like '203.0.113.3%'`,
  )
  expect(rows).toEqual([{ network: '203.0.113.31' }])
})
