import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isDistributed, setDistributed } from '#database/frame/distributed.ts'
import { type Read, readingRows, readsOf } from '#testkit/access/reads.ts'
import { type SeveralMerchants, severalMerchants } from '#testkit/access/several-merchants.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { nodeUrls } from '#testkit/cluster/nodes.ts'
import { copyRows } from '#testkit/cluster/undistributed.ts'
import { openUndistributed } from '#testkit/database.ts'
import { isFullRun } from '#testkit/full-run.ts'

/*
 * Several merchants are read in one statement, or each apart. Here both read the same database; in a distributed run one reads it on several
 * nodes and the other a copy on one.
 */

const isOnNodes = nodeUrls.length > 0
const amount = isFullRun ? 'all' : isOnNodes ? 'pages' : 'some'
let apart: TestApi
let together: TestApi
let several: SeveralMerchants

beforeAll(async () => {
  setDistributed(false)
  together = isOnNodes ? await openTestApi({}, await openUndistributed()) : await openTestApi()
  several = await severalMerchants(together)
  // The first call creates the deployment's keys.
  await together.send('getLicenceKeys', {})
  apart = isOnNodes ? await openTestApi({}, undefined, together.blobs) : together
  if (isOnNodes) await copyRows(together.database.adminUrl, apart.database.adminUrl)
  // Answers that contain the time of the call are the same.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
}, 120_000)
afterAll(async () => {
  vi.useRealTimers()
  setDistributed(isOnNodes)
  if (together !== apart) await together?.close().then(() => together.database.close())
  await apart?.close()
})

/** The points of a map have no order. */
const isUnordered = (name: Read['name']) => name === 'mapMachines'

async function answerTo({ name, input, user }: Read, api: TestApi, isApart: boolean): Promise<string> {
  setDistributed(isApart)
  const { statusCode, payload } = await api.send(name, input, user)
  const body = payload.replace(/"requestId":"[^"]*"/, '')
  return `${statusCode} ${
    isUnordered(name)
      ? body
          .split(/[[{}\]]/)
          .toSorted()
          .join('')
      : body
  }`
}

test.each(readingRows)(
  '%s answers the same from one database and from several nodes',
  async (name) => {
    const wrong: string[] = []
    for (const read of readsOf(name, several.readers, several.ownAim, amount)) {
      const one = await answerTo(read, together, false)
      const each = await answerTo(read, apart, true)
      if (one !== each || one.startsWith('5'))
        wrong.push(`${read.user.role}, ${read.what}:\n${one.slice(0, 1500)}\n${each.slice(0, 1500)}`)
    }
    expect(isDistributed()).toBe(true)
    expect(wrong).toEqual([])
  },
  300_000,
)
