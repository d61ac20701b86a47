import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { setDistributed } from '#database/frame/distributed.ts'
import { type Read, readingRows, readsOf } from '#testkit/access/reads.ts'
import { type SeveralMerchants, severalMerchants } from '#testkit/access/several-merchants.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { isFullRun } from '#testkit/full-run.ts'

const isThorough = isFullRun
let api: TestApi
let several: SeveralMerchants

beforeAll(async () => {
  api = await openTestApi()
  several = await severalMerchants(api)
  // Answers with the time of the call are the same.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => setDistributed(false))
afterAll(async () => {
  vi.useRealTimers()
  await api?.close()
})

const answerTo = async ({ name, input, user }: Read, isDistributed: boolean) => {
  setDistributed(isDistributed)
  const { statusCode, payload } = await api.send(name, input, user)
  return `${statusCode} ${payload.replace(/"requestId":"[^"]*"/, '')}`
}

test.each(readingRows)('%s answers the same from one database and from several nodes', async (name) => {
  const wrong: string[] = []
  for (const read of readsOf(name, several.readers, several.ownAim, isThorough)) {
    const whole = await answerTo(read, false)
    const apart = await answerTo(read, true)
    if (whole !== apart) wrong.push(`${read.user.role}, ${read.what}:\n${whole}\n${apart}`)
    if (whole.startsWith('5')) wrong.push(`${read.user.role}, ${read.what}:\n${whole}`)
    if (process.env.SWEEP)
      (await import('node:fs')).appendFileSync(
        '/tmp/sweep.log',
        `${name}|${read.user.role}|${read.what}|${whole.slice(0, 90)}\n`,
      )
  }
  expect(wrong).toEqual([])
})
