// npm run rollups: compares the sums of sales, cash, downtime and KPIs with their rows, and recalculates sums that differ. It
// also proves that the stock of managed machines is the sum of its movements. A running
// Gettone may keep using the database.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDoors } from '#database/frame/tenant.ts'
import { isDay } from '#domain/time/period.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { runningEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { keptSecret, openRunning, openStorage } from '#server/postgres/storage.ts'
import { workRollups, wrongBooks } from '#server/worker/rollups.ts'

const usage = 'Usage: npm run rollups -- [--merchant <id>] [--from 2026-01-31] [--to 2026-02-28] [--check]'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const { merchant, from, to, check } = readOrder()

const dataDir = process.env.DATA_DIR ?? '.data'
const { SECRET_KEY } = process.env
const config = readConfig(
  { DATA_DIR: dataDir, ...(SECRET_KEY && { SECRET_KEY }) },
  { production: false, ...(!SECRET_KEY && { keptSecret: keptSecret(dataDir) }) },
)
// Leave a database in use unchanged: its migrations and passwords belong to the process that uses it.
const databaseUrl = process.env.DATABASE_URL ?? runningEmbeddedPostgres(join(resolve(dataDir), 'postgres'))
let close: (() => Promise<void>) | undefined

let days = 0
let different = 0
let refused = 0
try {
  const doors = await openedDoors()
  const order = { merchantId: merchant, from, to, isCheck: check }
  for await (const each of workRollups(doors, order, new Date())) {
    days++
    const where = `${each.merchantName}, ${each.day}`
    if (each.different.length > 0) {
      different++
      console.log(`${where}: ${each.different.join(', ')} ${check ? 'differ' : 'differed and were rebuilt'}.`)
    }
    if (each.refused.length > 0) {
      refused++
      console.log(`${where}: ${each.refused.join(', ')} cannot be rebuilt, because the rows of that day were dropped.`)
    }
  }
  const books = await wrongBooks(doors, merchant)
  for (const { merchantName, machineName, selection, balance, sum } of books)
    console.log(
      `${merchantName}, ${machineName}, selection ${selection}: stock ${balance}, but its movements add up to ${sum}.`,
    )
  const summary = `${days} days: ${days - different} correct, ${different} ${check ? 'differ' : 'rebuilt'}`
  console.log(
    refused > 0 ? `${summary}; ${refused} could not be checked completely, because rows were dropped.` : `${summary}.`,
  )
  if (days === 0) console.log('No merchant and day matched.')
  process.exitCode = days === 0 || refused > 0 || books.length > 0 || (check && different > 0) ? 1 : 0
} catch (error) {
  console.log(error instanceof ConfigError ? error.message : String(error))
  process.exitCode = 1
} finally {
  await close?.()
}

async function openedDoors() {
  if (databaseUrl) {
    const pools = await openRunning(databaseUrl, config)
    close = pools.end
    return openDoors(pools)
  }
  const storage = await openStorage(config, () => {})
  close = storage.stop
  return storage.doors
}

function readOrder() {
  try {
    const { values } = parseArgs({
      options: {
        merchant: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        check: { type: 'boolean', default: false },
      },
    })
    if (values.merchant !== undefined && !uuid.test(values.merchant)) end('--merchant must be the id of a merchant.')
    for (const name of ['from', 'to'] as const)
      if (values[name] !== undefined && !isDay(values[name])) end(`--${name} must be a day, such as 2026-01-31.`)
    if (values.from && values.to && values.to < values.from) end('--to is before --from.')
    return values
  } catch (error) {
    return end((error as Error).message)
  }
}

function end(sentence: string): never {
  console.log(`${sentence}\n${usage}`)
  process.exit(1)
}
