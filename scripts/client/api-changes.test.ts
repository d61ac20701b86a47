import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ApiChange, compareApis } from './compare.ts'
import { type PublicApi, publicApi } from './public-api.ts'
import { clientText } from './write-client.ts'

/* The public API is what integrations call with API tokens, and what webhooks send. released.json is that of the last released version. */

const read = (...path: string[]) => readFileSync(join(import.meta.dirname, '..', '..', ...path), 'utf8')
const released = JSON.parse(read('client', 'released.json')) as { version: string; api: PublicApi }
const log = read('docs', 'api-changes.md')
/** The part about the version that is not released yet. */
const next = /## Next version\n([\s\S]*?)(?=\n## |$)/.exec(log)?.[1] ?? ''

/** A change is listed by its place, as `listAlarms answer.items.code`. */
const isListed = ({ at }: ApiChange, text: string) => text.includes(`\`${at}\``)

test('the types of the client are those of the contract', () => {
  expect(read('client', 'api.gen.ts')).toBe(clientText())
})

test('what breaks integrations of the released version is listed under "Breaking" in docs/api-changes.md', () => {
  const breaking = /### Breaking\n([\s\S]*?)(?=\n### |$)/.exec(next)?.[1] ?? ''
  const changes = compareApis(released.api, publicApi()).filter(({ kind }) => kind === 'breaking')
  expect(changes.filter((change) => !isListed(change, breaking))).toEqual([])
})

test('new calls and events are listed', () => {
  const added = compareApis(released.api, publicApi()).filter(
    ({ kind, at, what }) => kind === 'addition' && what === 'added' && !at.includes(' '),
  )
  expect(added.filter((change) => !isListed(change, next))).toEqual([])
})

test('the comparison sees what breaks', () => {
  const before = structuredClone(released.api)
  const after = structuredClone(released.api)
  const filtered = Object.keys(before.calls).filter((name) => Object.keys(before.calls[name]?.query ?? {}).length > 0)
  const [first, second, third] = filtered as [string, string, string]
  delete after.calls[first]
  const query = after.calls[second]?.query ?? {}
  const [filter] = Object.keys(query)
  delete query[filter as string]
  after.calls[third] = { ...(after.calls[third] as PublicApi['calls'][string]), path: '/elsewhere' }
  after.calls.listNew = before.calls[second] as PublicApi['calls'][string]
  const sale = after.events['sale.made']?.properties as Record<string, { type?: string }>
  sale.value = { type: 'string' }
  sale.more = { type: 'string' }
  expect(compareApis(before, after)).toEqual(
    expect.arrayContaining([
      { kind: 'breaking', at: first, what: 'removed' },
      { kind: 'breaking', at: `${second} query.${filter}`, what: 'removed' },
      { kind: 'breaking', at: third, what: 'another path, method or content type' },
      { kind: 'addition', at: 'listNew', what: 'added' },
      { kind: 'breaking', at: 'sale.made.value', what: 'another type' },
      { kind: 'addition', at: 'sale.made.more', what: 'added' },
    ]),
  )
})
