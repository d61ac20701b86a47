import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const name = 'virtual:inter.css'
const folder = join(import.meta.dirname, '../../.cache/fonts')

/** The weights that the portal uses; the whole axis would be a quarter more. */
const weights = { min: 400, max: 700 }

/** A file of the font, by the characters that load it. A browser fetches a file only for text that needs it. */
const pieces = [
  {
    file: 'latin',
    source: 'inter-latin-wght-normal',
    range:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  },
  // Czech, Polish, Romanian, Turkish and their neighbours, and signs of currencies.
  {
    file: 'central',
    source: 'inter-latin-ext-wght-normal',
    range: 'U+0100-0130,U+0132-0151,U+0154-017F,U+0218-021B,U+20A0-20AB,U+20AD-20C0',
  },
  {
    file: 'rest',
    source: 'inter-latin-ext-wght-normal',
    range:
      'U+0180-0217,U+021C-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2113,U+2C60-2C7F,U+A720-A7FF',
  },
]

/** The characters of a range as CSS writes it. */
export const charactersOf = (range: string): string =>
  range
    .split(',')
    .flatMap((part) => {
      const [from = 0, to = from] = part
        .replace('U+', '')
        .split('-')
        .map((code) => Number.parseInt(code, 16))
      return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
    })
    .join('')

/** Writes the pieces of the font and their style sheet; returns its path. Done once per version of the font. */
export async function writeInter(): Promise<string> {
  const { resolve } = createRequire(import.meta.url)
  const { version } = JSON.parse(readFileSync(resolve('@fontsource-variable/inter/package.json'), 'utf8')) as {
    version: string
  }
  const sheet = join(folder, `inter-${version}.css`)
  mkdirSync(folder, { recursive: true })
  const faces = await Promise.all(
    pieces.map(async ({ file, source, range }) => {
      const path = join(folder, `inter-${version}-${file}.woff2`)
      if (!existsSync(path)) {
        const whole = readFileSync(resolve(`@fontsource-variable/inter/files/${source}.woff2`))
        const options = { targetFormat: 'woff2', variationAxes: { wght: weights } } as const
        writeFileSync(path, await subsetFont(whole, charactersOf(range), options))
      }
      return `@font-face { font-family: 'Inter Variable'; font-style: normal; font-display: swap; font-weight: ${weights.min} ${weights.max}; src: url(./inter-${version}-${file}.woff2) format('woff2-variations'); unicode-range: ${range}; }`
    }),
  )
  writeFileSync(sheet, `${faces.join('\n')}\n`)
  return sheet
}

/** The portal's font as `virtual:inter.css`: one variable file per group of languages. */
export const interInPieces = (): Plugin => ({
  name: 'inter-in-pieces',
  enforce: 'pre',
  resolveId: (id) => (id === name ? writeInter() : undefined),
})
