import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { errors } from '#contract/errors.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { scopeOfCall } from '#contract/merchants/token-scope.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { apiPrefix } from './prefix.ts'

interface Operation {
  operationId: string
  security: unknown[]
  responses: Record<string, { content?: Record<string, unknown> }>
}

let api: TestApi
let document: { openapi: string; paths: Record<string, Record<string, Operation>> }
beforeAll(async () => {
  api = await openTestApi()
  document = (await api.app.inject('/api/openapi.json')).json()
})
afterAll(() => api.close())

test('the document is OpenAPI 3.1 and contains exactly the endpoints of the contract', () => {
  expect(document.openapi).toBe('3.1.0')
  const names = Object.values(document.paths).flatMap((path) => Object.values(path).map((one) => one.operationId))
  expect(names.sort()).toEqual(Object.keys(endpoints).sort())
})

describe.each(Object.entries(endpoints as unknown as Record<string, AnyEndpoint>))('%s', (name, row) => {
  test('names its answers, its errors and its roles', () => {
    const operation = document.paths[apiPrefix + row.path]?.[row.method.toLowerCase()]
    expect(operation?.operationId).toBe(name)
    const { responses = {}, security } = operation ?? {}
    expect(responses).toHaveProperty(String(row.status))
    for (const code of row.fails) expect(responses).toHaveProperty(String(errors[code]))
    expect(Object.keys(responses)).toContain('500')
    const isOpen = row.needs === 'anyone'
    const scope = scopeOfCall(name)
    const token = scope ? [{ apiToken: [scope] }] : []
    expect(security).toEqual(isOpen ? [] : [{ bearer: [] }, ...token])
    expect('401' in responses).toBe(!isOpen || row.fails.includes('Unauthorized'))
    if (scope) expect(responses).toHaveProperty('429')
    if (row.produces) expect(responses[row.status]?.content).toHaveProperty([row.produces])
  })
})

test('the page to browse it is served with a policy that loads nothing from other sites', async () => {
  const page = await api.app.inject('/api/docs')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-security-policy']).not.toMatch(/https?:|upgrade-insecure/)
})
