import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { assetUrl, registerAssets } from './assets.ts'

test('the icon of the pages is the portal’s image', async () => {
  const app = Fastify()
  registerAssets(app)
  const { headers, body } = await app.inject(assetUrl('favicon.svg'))
  expect(headers['content-type']).toBe('image/svg+xml')
  expect(body).toMatch(/^<svg[\s>]/)
})
