import { expect, test } from 'vitest'
import { aPortal } from '#testkit/browser/portal.ts'

const policies = {
  content: 'content-security-policy',
  opener: 'cross-origin-opener-policy',
  referrer: 'referrer-policy',
} as const

test('every page restricts its resources, its opener and its referrer', async () => {
  const { url } = await aPortal()
  const headersOf = async (path: string) => {
    const { headers, status } = await fetch(url + path)
    const said = Object.entries(policies).map(([name, header]) => [name, headers.get(header)])
    return { status, ...Object.fromEntries(said) }
  }
  expect(await headersOf('/alarms')).toEqual({
    status: 200,
    content: expect.stringContaining("script-src 'self'"),
    opener: 'same-origin-allow-popups',
    referrer: 'strict-origin-when-cross-origin',
  })
  expect(await headersOf('/session-frame.html')).toEqual({
    status: 200,
    content: expect.stringContaining("default-src 'none'; script-src 'self'"),
    opener: 'unsafe-none',
    referrer: 'same-origin',
  })
  expect(await headersOf('/api/docs/')).toEqual({
    status: 200,
    content: expect.stringContaining("default-src 'self'"),
    opener: 'same-origin',
    referrer: 'same-origin',
  })
  expect(await headersOf('/identity/forgot')).toEqual({
    status: 200,
    content: expect.stringContaining("default-src 'none'"),
    opener: 'unsafe-none',
    referrer: 'same-origin',
  })
  // The portal has one page for all screens, and none without these headers.
  expect((await headersOf('/index.html')).status).toBe(404)
})
