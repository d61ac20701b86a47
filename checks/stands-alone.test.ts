import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './sources.ts'

/** Names of the workshop where this was written, in pieces, so that this file does not contain them. */
const foreign: { what: RegExp; may?: string[] }[] = [
  { what: new RegExp(['', 'work', ''].join('/')) },
  { what: new RegExp(['\\.\\.', 'shared\\b'].join('/')), may: ['.ci/run'] },
  { what: new RegExp(['', 'root', '\\w'].join('/')) },
  { what: new RegExp(['registry', 'npmjs'].join('\\.')) },
  { what: new RegExp(`\\b${'issue'} #?\\d+\\b`, 'i') },
]

const isForeign = (path: string, line: string) =>
  foreign.some(({ what, may }) => what.test(line) && !may?.includes(path))

test('the project names nothing outside itself', () => {
  const paths = ['**/*', '.ci/*', '.npmrc', '.gitignore', '.oxlintrc.json']
    .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (name) => ignored.includes(name) }))
    .filter((path) => statSync(join(root, path)).isFile())
  expect(paths.length).toBeGreaterThan(200)
  const mentions: string[] = []
  for (const path of paths) {
    const content = readFileSync(join(root, path))
    if (content.subarray(0, 8_000).includes(0)) continue
    const lines = content.toString('utf8').split('\n')
    lines.forEach((line, index) => {
      if (isForeign(path, line)) mentions.push(`${path}:${index + 1} ${line.trim().slice(0, 120)}`)
    })
  }
  expect(mentions).toEqual([])
})

const ignored = ['node_modules', '.git', '.cache', '.data', 'dist', 'coverage']

test('the check sees what it is for', () => {
  expect(isForeign('docs/a.md', `see ${['', 'work', 'main'].join('/')}`)).toBe(true)
  expect(isForeign('docs/a.md', `see ${'issue'} 2`)).toBe(true)
  expect(isForeign('.ci/run', ['..', 'shared', 'eva-dts'].join('/'))).toBe(false)
  expect(isForeign('docs/a.md', 'it works, and the framework shared it')).toBe(false)
})
