import { expect, test } from 'vitest'
import { endpoints } from '../endpoints.ts'
import type { AnyEndpoint } from '../frame/endpoint.ts'
import { isOfAreas } from './api-token.ts'
import { scopeOfCall, tokenScopeNames, tokenScopes } from './token-scope.ts'

const rows = Object.entries<AnyEndpoint>(endpoints)
const listed = tokenScopeNames.flatMap((scope) => tokenScopes[scope] as readonly string[])

test('every call of the public API is in exactly one scope, and every scope names calls of the contract', () => {
  expect(listed.length).toBeGreaterThan(90)
  expect(listed.filter((name, at) => listed.indexOf(name) !== at)).toEqual([])
  expect(listed.filter((name) => !(name in endpoints))).toEqual([])
  // What tokens with areas may read.
  expect(rows.filter(([name, row]) => isOfAreas(row) && !scopeOfCall(name)).map(([name]) => name)).toEqual([])
})

test('a scope reads or writes one merchant, and nothing else', () => {
  for (const scope of tokenScopeNames.filter((one) => one !== 'users.provision')) {
    const calls = (tokenScopes[scope] as readonly string[]).map((name) => rows.find(([one]) => one === name)?.[1])
    expect(calls.length, scope).toBeGreaterThan(0)
    for (const row of calls) {
      expect(row?.path, scope).toContain('{merchantId}')
      expect(row?.method === 'GET', `${scope} ${row?.path}`).toBe(scope.endsWith('.read'))
    }
  }
})
