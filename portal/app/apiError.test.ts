import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ProductError } from '#contract/errors.ts'
import { createApp } from '#server/http/server.ts'
import { ApiError, ontoCurrent, sentenceOf } from './apiError.ts'

/** A refusal as the browser receives it. */
async function received(refusal: ProductError): Promise<ApiError> {
  const app = createApp(pino({ level: 'silent' }))
  app.get('/', () => Promise.reject(refusal))
  const answer = await app.inject('/')
  await app.close()
  return new ApiError(answer.json().code, answer.statusCode, answer.json())
}

test('the details of a refusal reach the reader’s sentence, under any name', async () => {
  const facts = { current: { name: 'Lobby' }, status: 'blocked', title: 'x', count: 3 }
  const error = await received(new ProductError('EditConflict', facts))
  expect(error).toMatchObject({ code: 'EditConflict', status: 409, facts, fields: {} })
  expect(error.requestId).toEqual(expect.any(String))
})

test('a failure names its request, by which support finds it; a refusal does not', () => {
  const say = (key: string | string[], values: object) => `${[key].flat()[0]} ${JSON.stringify(values)}`
  const of = (status: number) => sentenceOf(say, new ApiError('Internal', status, {}, 'r1'))
  expect([of(500), of(503), of(0)].every((text) => text.includes('ui:error.request {"id":"r1"}'))).toBe(true)
  expect(of(409)).not.toContain('r1')
})

test('errors of single fields reach their fields', async () => {
  const errors = [{ path: 'order.expiresAt', code: 'invalid_window', message: 'too late' }]
  const error = await received(new ProductError('ValidationFailed', { errors }))
  expect(error).toMatchObject({ status: 400, facts: {}, fields: { 'order.expiresAt': { key: 'rule.format' } } })
})

test('an unambiguous act is repeated once, on the record saved meanwhile', async () => {
  const current = { version: 2, name: 'Lobby' }
  const conflict = await received(new ProductError('EditConflict', { current }))
  const isOnVersion = (version: number) => async (record: { version: number }) => {
    if (record.version !== version) throw conflict
    return record
  }
  expect(await ontoCurrent({ version: 1, name: 'Atrium' }, isOnVersion(2))).toEqual(current)
  // A second conflict is reported.
  await expect(ontoCurrent({ version: 1, name: 'Atrium' }, isOnVersion(3))).rejects.toBe(conflict)
  const refusal = new ApiError('Forbidden', 403)
  await expect(ontoCurrent(current, () => Promise.reject(refusal))).rejects.toBe(refusal)
})
