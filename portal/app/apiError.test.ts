import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ProductError } from '#contract/errors.ts'
import { createApp } from '#server/api/server.ts'
import { ApiError } from './apiError.ts'

/** What the browser makes of a refusal, after its way over the wire. */
async function received(refusal: ProductError): Promise<ApiError> {
  const app = createApp(pino({ level: 'silent' }))
  app.get('/', () => Promise.reject(refusal))
  const answer = await app.inject('/')
  await app.close()
  return new ApiError(answer.json().code, answer.statusCode, answer.json())
}

test('facts of a refusal reach the reader’s sentence, whatever they are called', async () => {
  const facts = { current: { name: 'Lobby' }, status: 'blocked', title: 'x', count: 3 }
  const error = await received(new ProductError('EditConflict', facts))
  expect(error).toMatchObject({ code: 'EditConflict', status: 409, facts, fields: {} })
  expect(error.requestId).toEqual(expect.any(String))
})

test('faults of single fields reach their fields', async () => {
  const errors = [{ path: 'order.expiresAt', code: 'invalid_window', message: 'too late' }]
  const error = await received(new ProductError('ValidationFailed', { errors }))
  expect(error).toMatchObject({ status: 400, facts: {}, fields: { 'order.expiresAt': { key: 'rule.format' } } })
})
