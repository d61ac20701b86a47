import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ProductError } from '#contract/errors.ts'
import type { Portal } from '#contract/key-portal/portal.ts'
import { keyIcon } from './icon.ts'
import { iconSides, manifestOf } from './manifest.ts'

/** The path of the app's files, and of its pages: `/key/{slug}`. */
const filesPath = '/key-app/'

/** The app runs its own scripts only, and talks to its own server only; React sets styles through the DOM, which needs no allowance. */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures within formatted texts are data.
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    // The staff's preview.
    "frame-ancestors 'self'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  // Addresses of the app may contain codes.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
} as const

/** Serves the customers' app (`portal/key`): its files, its pages, and each merchant's manifest and icons. */
export async function registerKeyApp(
  app: FastifyInstance,
  options: {
    /** The built app. */
    folder: string
    /** The published portal of an address. Throws PortalNotFound. */
    portalOf: (slug: string) => Promise<Portal>
  },
): Promise<void> {
  const { folder, portalOf } = options
  // Their names contain a digest of their content.
  await app.register(fastifyStatic, {
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    root: join(folder, 'assets'),
    prefix: `${filesPath}assets/`,
    decorateReply: false,
    setHeaders: (response) => {
      response
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .header('vary', 'accept-encoding')
    },
  })
  const quiet = { schema: { hide: true }, config: { isQuiet: true } } as const
  const page = (_request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(pageHeaders).sendFile('index.html', folder, { cacheControl: false })
  // The service worker keeps this one.
  app.get(`${filesPath}index.html`, quiet, page)
  app.get('/key/sw.js', quiet, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .header('vary', 'accept-encoding')
      .sendFile('sw.js', folder, { cacheControl: false }),
  )
  app.get<{ Params: { slug: string } }>('/key/:slug/manifest.webmanifest', quiet, async ({ params }, reply) => {
    const manifest = manifestOf(await portalOf(params.slug))
    return reply
      .type('application/manifest+json')
      .header('cache-control', 'public, max-age=600')
      .send(JSON.stringify(manifest))
  })
  app.get<{ Params: { slug: string; side: string } }>('/key/:slug/icon-:side.png', quiet, async ({ params }, reply) => {
    const side = iconSides.find((one) => String(one) === params.side)
    if (!side) throw new ProductError('NotFound')
    const { colours } = await portalOf(params.slug)
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=86400')
      .send(keyIcon(side, colours.brand, colours.onBrand))
  })
  app.get('/key/*', quiet, (request, reply) =>
    /\.[a-z0-9]{2,12}$/i.test(request.url.split('?')[0] ?? '') ? reply.callNotFound() : page(request, reply),
  )
}
