import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'

const asset = (path: string) => readFileSync(new URL(path, import.meta.url))
const font = (name: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`@fontsource-variable/inter/files/${name}.woff2`))

/** The library's script for pages without a bundler, beside the entry that Node resolves. */
const webAuthn = () =>
  readFileSync(new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser')))

/** The portal's palette. It follows the system's dark mode in CSS, without a script. */
function palette(): string {
  const text = asset('../../portal/app/theme/tokens.css').toString('utf8')
  const dark = /:root\[data-mantine-color-scheme="dark"\] (\{[^{}]*\})/.exec(text)?.[1] ?? ''
  return `${text}\n@media (prefers-color-scheme: dark) { :root:not([data-mantine-color-scheme]) ${dark} }\n`
}

/** Sent as one file: these pages have no bundler. */
const sheets = ['base', 'form', 'beside', 'factor', 'mailbox'] as const

const files = {
  'style.css': {
    type: 'text/css; charset=utf-8',
    body: Buffer.from(palette() + sheets.map((name) => asset(`assets/${name}.css`).toString('utf8')).join('\n')),
  },
  'passkey.js': {
    type: 'text/javascript; charset=utf-8',
    body: Buffer.concat([webAuthn(), Buffer.from('\n'), asset('assets/passkey.js')]),
  },
  'page.js': { type: 'text/javascript; charset=utf-8', body: asset('assets/page.js') },
  'favicon.svg': { type: 'image/svg+xml', body: asset('../../portal/public/favicon.svg') },
  'inter-latin.woff2': { type: 'font/woff2', body: font('inter-latin-wght-normal') },
  'inter-latin-ext.woff2': { type: 'font/woff2', body: font('inter-latin-ext-wght-normal') },
} as const

/** One digest for all files, so that the style sheet finds its fonts beside it and browsers may cache everything forever. */
const version = createHash('sha256')
  .update(Buffer.concat(Object.values(files).map(({ body }) => body)))
  .digest('hex')
  .slice(0, 12)

/** The address of a file of the pages. */
export const assetUrl = (name: keyof typeof files): string => `/identity/assets/${version}/${name}`

/** Serves the pages' style, script and fonts. */
export function registerAssets(app: FastifyInstance): void {
  for (const [name, { type, body }] of Object.entries(files)) {
    app.get(`/identity/assets/:version/${name}`, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type(type)
        .send(body),
    )
  }
}
