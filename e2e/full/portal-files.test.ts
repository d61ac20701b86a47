import { expect, test } from 'vitest'
import { aPortal } from '#testkit/browser/portal.ts'

test('the page is revalidated each time, so that a new portal is noticed; its files are cached for ever', async () => {
  const { url } = await aPortal()
  const page = await fetch(url)
  const addresses = ['/login', '/merchants/x'].map((path) => fetch(url + path))
  for (const { headers } of [page, ...(await Promise.all(addresses))])
    expect(headers.get('cache-control')).toBe('no-cache')
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? []
  expect((await fetch(url + script)).headers.get('cache-control')).toContain('immutable')
})

test('the page is framed by its own origin alone and runs only its own scripts, at any address', async () => {
  const { url } = await aPortal()
  for (const path of ['/', '/login?to=//evil.test', '//evil.test/']) {
    const headers = Object.fromEntries((await fetch(url + path)).headers)
    expect(headers).toMatchObject({
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("script-src 'self'; "),
    })
  }
})

test('nothing outside of the built portal is served', async () => {
  const { url } = await aPortal()
  const outside = [
    '/index.html',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/..%2f..%2fpackage.json',
    '/.vite/manifest.json',
    '/.env',
  ]
  const statuses = [...outside, '/assets/%00', '/assets/%5c..%5c'].map(async (path) => (await fetch(url + path)).status)
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404, 404, 403, 403])
})
