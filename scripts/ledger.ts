// npm run ledger -- --check: proves the ledger of cloud credit. Operations are balanced, balances are the sums of their entries, reserved credit
// is what machines hold, and no medium owes. A running Gettone may keep using the database. Exit code 1 with a fault.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type LedgerFault, ledgerFaults, ledgerSize } from '#database/cashless/ledger-check.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { runningEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { keptSecret, openRunning, openStorage } from '#server/postgres/storage.ts'

const usage = 'Usage: npm run ledger -- --check [--merchant <id>]'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const sentences: Record<LedgerFault['what'], (fault: LedgerFault) => string> = {
  unbalancedOperation: ({ id, found }) => `operation ${id} does not balance: its entries add up to ${found}.`,
  wrongBalance: ({ id, found, expected }) => `account ${id} has ${found}, but its entries add up to ${expected}.`,
  wrongReserved: ({ id, found, expected }) => `account ${id} has ${found} reserved, but machines hold ${expected}.`,
  negative: ({ id, found }) => `account ${id} of a medium owes ${-found}.`,
}

const { merchant } = readOrder()
const dataDir = process.env.DATA_DIR ?? '.data'
const { SECRET_KEY } = process.env
const config = readConfig(
  { DATA_DIR: dataDir, ...(SECRET_KEY && { SECRET_KEY }) },
  { production: false, ...(!SECRET_KEY && { keptSecret: keptSecret(dataDir) }) },
)
// Leave a database in use unchanged: its migrations and passwords belong to the process that uses it.
const inUse = process.env.DATABASE_URL ?? runningEmbeddedPostgres(join(resolve(dataDir), 'postgres'))
let close: (() => Promise<void>) | undefined

try {
  const doors = await openedDoors()
  const faults = await ledgerFaults(doors, merchant)
  for (const fault of faults) console.log(`Merchant ${fault.merchantId}: ${sentences[fault.what](fault)}`)
  const { accounts, operations } = await ledgerSize(doors, merchant)
  const size = `${operations} operations on ${accounts} accounts`
  console.log(faults.length === 0 ? `The ledger is correct: ${size}.` : `${faults.length} faults in ${size}.`)
  process.exitCode = faults.length === 0 ? 0 : 1
} catch (error) {
  console.log(error instanceof ConfigError ? error.message : String(error))
  process.exitCode = 1
} finally {
  await close?.()
}

async function openedDoors() {
  if (inUse) {
    const pools = await openRunning(inUse, config)
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
      options: { check: { type: 'boolean', default: false }, merchant: { type: 'string' } },
    })
    // The ledger is only added to, so there is nothing but a check.
    if (!values.check) end('Give --check.')
    if (values.merchant !== undefined && !uuid.test(values.merchant)) end('--merchant must be the id of a merchant.')
    return values
  } catch (error) {
    return end((error as Error).message)
  }
}

function end(sentence: string): never {
  console.log(`${sentence}\n${usage}`)
  process.exit(1)
}
