import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { ProductError } from '#contract/errors.ts'
import type { Portal } from '#contract/key-portal/portal.ts'
import { portalColoursOf } from '#domain/key-portal/colours.ts'
import { handleErrors } from '#server/http/problem.ts'
import { registerKeyApp } from './routes.ts'

const portal: Portal = {
  slug: 'duomo',
  name: 'Caffè Duomo di Milano',
  website: null,
  phone: null,
  email: null,
  colours: portalColoursOf('#0b5c3b'),
  theme: 1,
  logo: null,
  appLogo: null,
  ingredientsUrl: null,
  languages: ['it', 'en'],
  currency: 'EUR',
  timeZone: 'Europe/Rome',
  services: { media: true, recharge: true, ingredients: false },
}

async function anApp(portalFacts: Portal = portal) {
  const folder = mkdtempSync(join(tmpdir(), 'key-app-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>the app')
  writeFileSync(join(folder, 'sw.js'), 'the worker')
  writeFileSync(join(folder, 'assets/index-1.js'), 'the script')
  const app = Fastify()
  handleErrors(app)
  // As the staff's portal does.
  await app.register(fastifyStatic, { root: folder, serve: false })
  await registerKeyApp(app, {
    folder,
    portalOf: async (slug) => {
      if (slug !== portalFacts.slug) throw new ProductError('PortalNotFound')
      return portalFacts
    },
  })
  onTestFinished(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })
  return (url: string) => app.inject({ method: 'GET', url })
}

test('every page of the app is one file, without scripts in the page or from elsewhere', async () => {
  const get = await anApp()
  for (const url of ['/key/duomo', '/key/duomo/m/0a1b2c3d4e5f', '/key/unknown', '/key-app/index.html']) {
    const { statusCode, headers, body } = await get(url)
    expect([url, statusCode, body]).toEqual([url, 200, '<!doctype html>the app'])
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers['cache-control']).toBe('no-cache')
  }
})

test('files with a digest are kept by browsers, and the service worker is checked each time', async () => {
  const get = await anApp()
  expect((await get('/key-app/assets/index-1.js')).headers['cache-control']).toContain('immutable')
  const worker = await get('/key/sw.js')
  expect([worker.body, worker.headers['cache-control']]).toEqual(['the worker', 'no-cache'])
  expect(worker.headers['content-type']).toContain('javascript')
})

test('unknown files and portals are not found', async () => {
  const get = await anApp()
  for (const url of [
    '/key/duomo/x.js',
    '/key/other/manifest.webmanifest',
    '/key/other/icon-192.png',
    '/key/duomo/icon-7.png',
  ])
    expect((await get(url)).statusCode).toBe(404)
})

test('each merchant has an installable app with its name, color and icons', async () => {
  const get = await anApp()
  const manifest = (await get('/key/duomo/manifest.webmanifest')).json()
  expect(manifest).toMatchObject({
    name: 'Caffè Duomo di Milano',
    short_name: 'Caffè',
    start_url: '/key/duomo/',
    scope: '/key/duomo/',
    display: 'standalone',
    theme_color: '#0b5c3b',
  })
  const sizes = manifest.icons.map(({ sizes, purpose }: Record<string, string>) => `${sizes} ${purpose}`)
  expect(sizes).toEqual(['192x192 any', '192x192 maskable', '512x512 any', '512x512 maskable'])
  for (const { src } of manifest.icons) {
    const icon = await get(src)
    expect(icon.headers['content-type']).toBe('image/png')
    const side = Number(/\d+/.exec(src.split('/').at(-1))?.[0])
    expect([icon.rawPayload.readUInt32BE(16), icon.rawPayload.readUInt32BE(20)]).toEqual([side, side])
  }
})

test('a square logo is the icon of the app', async () => {
  const get = await anApp({ ...portal, appLogo: { url: '/logo', width: 192, height: 192 } })
  expect((await get('/key/duomo/manifest.webmanifest')).json().icons[0]).toEqual({ src: '/logo', sizes: '192x192' })
  const other = await anApp({ ...portal, appLogo: { url: '/logo', width: 400, height: 120 } })
  expect((await other('/key/duomo/manifest.webmanifest')).json().icons[0].src).toBe('/key/duomo/icon-192.png')
})
