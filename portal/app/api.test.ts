import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/frame/endpoint.ts'
import { addressOf } from './address.ts'
import { call, connectTokens } from './api.ts'
import { ApiError, isLost } from './apiError.ts'

const row = endpoint({
  method: 'GET',
  path: '/merchants/{merchantId}/pos/paged',
  summary: '',
  needs: 'machine.read',
  query: z.strictObject({
    page: z.coerce.number().optional(),
    states: z.array(z.string()).optional(),
    search: z.string().optional(),
  }),
  ok: z.strictObject({ total: z.int() }),
})
const params = { merchantId: 'm1' }
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const answers = (...responses: Response[]) => {
  const fetched = vi.fn<typeof fetch>(async () => responses.shift() as Response)
  vi.stubGlobal('fetch', fetched)
  return fetched
}
afterEach(() => vi.unstubAllGlobals())

test('an address repeats each value of a list and leaves empty values out', () => {
  expect(
    addressOf(row.path, {
      params: { merchantId: 'a/b' },
      query: { page: 2, states: ['blocked', 'silent'], search: '' },
    }),
  ).toBe('/api/v1/merchants/a%2Fb/pos/paged?page=2&states=blocked&states=silent')
})

const refused = vi.fn()
afterEach(() => void refused.mockClear())

test('a call carries the bearer token', async () => {
  connectTokens({ token: () => 'one', renew: async () => undefined, refused })
  const fetched = answers(json({ total: 3 }))
  expect(await call(row, { params })).toEqual({ total: 3 })
  expect(fetched.mock.calls[0]?.[1]?.headers).toMatchObject({ authorization: 'Bearer one' })
})

test('a refused token is renewed once, without asking the user', async () => {
  connectTokens({ token: () => 'old', renew: async () => 'new', refused })
  const fetched = answers(json({}, 401), json({ total: 1 }))
  expect(await call(row, { params })).toEqual({ total: 1 })
  expect(fetched.mock.calls[1]?.[1]?.headers).toMatchObject({ authorization: 'Bearer new' })
  expect(refused).not.toHaveBeenCalled()
})

test('a renewed token that is refused again ends the session', async () => {
  connectTokens({ token: () => 'old', renew: async () => 'new', refused })
  const fetched = answers(json({ code: 'Unauthorized' }, 401), json({ code: 'Unauthorized' }, 401))
  await expect(call(row, { params })).rejects.toMatchObject({ code: 'Unauthorized', status: 401 })
  expect(fetched).toHaveBeenCalledTimes(2)
  expect(refused).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'Unauthorized' }))
})

test('the session is notified when the server bars the user, and not of other refusals', async () => {
  connectTokens({ token: () => 'one', renew: async () => undefined, refused })
  answers(json({ code: 'Forbidden' }, 403), json({ code: 'UnauthorizedUserException' }, 403))
  await expect(call(row, { params })).rejects.toMatchObject({ code: 'Forbidden' })
  expect(refused).not.toHaveBeenCalled()
  await expect(call(row, { params })).rejects.toMatchObject({ code: 'UnauthorizedUserException' })
  expect(refused).toHaveBeenCalledOnce()
})

test('an error is known by its code, also an unknown one of a newer server; without a code by its status', async () => {
  answers(
    json({ code: 'MachineNotFound', requestId: 'r1' }, 404),
    new Response('<html>', { status: 502 }),
    json({ code: 'Unheard' }, 500),
  )
  await expect(call(row, { params })).rejects.toMatchObject({ code: 'MachineNotFound', requestId: 'r1' })
  await expect(call(row, { params })).rejects.toMatchObject({ code: 'ServiceUnavailable' })
  await expect(call(row, { params })).rejects.toMatchObject({ code: 'Unheard', status: 500 })
})

test('a request carries an id of its own, and each failure says it', async () => {
  const fetched = answers(json({ code: 'Internal', requestId: 'r1' }, 500), new Response('<html>', { status: 502 }))
  const idOf = (call: number) => new Headers(fetched.mock.calls[call]?.[1]?.headers).get('x-request-id')
  await expect(call(row, { params })).rejects.toMatchObject({ requestId: 'r1', isOfServer: true })
  // A proxy answers without our problem document: the browser still knows its request.
  const failed = call(row, { params })
  await expect(failed).rejects.toMatchObject({ isOfServer: false })
  await expect(failed).rejects.toMatchObject({ requestId: idOf(1) })
  expect(idOf(0)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(idOf(1)).not.toBe(idOf(0))
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(call(row, { params })).rejects.toMatchObject({ code: 'Unreachable', requestId: expect.any(String) })
})

test('an unreachable server has its own error code', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(call(row, { params })).rejects.toBeInstanceOf(ApiError)
  await expect(call(row, { params })).rejects.toMatchObject({ code: 'Unreachable' })
})

test('an incomplete answer is an error', async () => {
  const broken = () =>
    new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }), { status: 200 })
  answers(broken(), broken())
  await expect(call(row, { params })).rejects.toSatisfy(isLost)
  const controller = new AbortController()
  controller.abort()
  await expect(call(row, { params }, controller.signal)).rejects.toBeInstanceOf(TypeError)
})

test.each([
  ['normal', 60_000],
  ['large', 120_000],
] as const)('a %s call times out after %i ms, and says so', async (timeOut, ms) => {
  const timer = new AbortController()
  const timed = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timer.signal)
  vi.stubGlobal('fetch', async (_address: string, { signal }: RequestInit) => {
    timer.abort(new DOMException('', 'TimeoutError'))
    signal?.throwIfAborted()
  })
  await expect(call({ ...row, timeOut }, { params })).rejects.toMatchObject({ code: 'TimedOut' })
  expect(timed).toHaveBeenCalledExactlyOnceWith(ms)
  timed.mockRestore()
})
