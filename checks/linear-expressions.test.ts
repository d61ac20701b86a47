import { check } from 'recheck'
import { expect, test } from 'vitest'
import { root, type Source, sources } from './sources.ts'

/*
 * A text from outside must not freeze the process that reads it: the time of every regular expression of the product grows with the length
 * of its text, not with its square. recheck decides that by the expression's automaton.
 */

/** Floors whose expressions may meet text of machines, files, users or other servers. */
const floors = ['contract/', 'domain/', 'database/', 'server/', 'portal/', 'simulator/', 'agent/']

interface Expression {
  pattern: string
  flags: string
  /** File and line of its first use. */
  place: string
}

/** Every expression that product code writes, each once. */
function expressionsOf(files: readonly Source[]): Expression[] {
  const found = new Map<string, Expression>()
  const walk = (node: unknown, { path, text }: Source): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, { path, text } as Source)
    else if (node !== null && typeof node === 'object') {
      const { type, regex, start } = node as {
        type?: string
        regex?: { pattern: string; flags: string }
        start: number
      }
      if (type === 'Literal' && regex) {
        const line = text.slice(0, start).split('\n').length
        const key = `/${regex.pattern}/${regex.flags}`
        if (!found.has(key)) found.set(key, { ...regex, place: `${path}:${line}` })
      }
      for (const value of Object.values(node)) walk(value, { path, text } as Source)
    }
  }
  for (const file of files) walk(file.program, file)
  return [...found.values()]
}

/** Each expression has a process and a time: with more at once they would wait for each other. */
const atOnce = 4

/** The expressions that are not known to be linear. */
async function slowIn(expressions: readonly Expression[]): Promise<string[]> {
  const waiting = [...expressions]
  const found: string[] = []
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { pattern, flags, place } = next
      const { status } = await check(pattern, flags, { timeout: 20_000, checker: 'automaton' })
      if (status !== 'safe') found.push(`${place} /${pattern}/${flags}: ${status}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}

test('every expression over text is linear', async () => {
  const files = sources().filter(
    ({ path }) => floors.some((floor) => path.startsWith(floor)) && !/\.test\.tsx?$/.test(path),
  )
  const expressions = expressionsOf(files)
  expect(expressions.length).toBeGreaterThan(200)
  expect(await slowIn(expressions)).toEqual([])
  // A process for each expression: slow on a busy machine.
}, 180_000)

test('the check finds an expression that tries again at each sign', async () => {
  const slow = { pattern: '<[^>]*>', flags: 'g', place: `${root}/example.ts:1` }
  expect(await slowIn([slow])).toHaveLength(1)
  expect(await slowIn([{ ...slow, pattern: '^<[^>]*>' }])).toEqual([])
})
