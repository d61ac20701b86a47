// A separate process with the simplest possible ingest: the gateway's broker, one insert per message, acknowledged after its commit.
// No de-duplication, no sums, no validation.
import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import type { SaleBatch } from '#contract/device-protocol.ts'
import { openPools } from '#database/frame/pool.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { startEmbeddedBroker } from '#server/gateway/brokers/embedded-broker.ts'
import { createBudget } from '#server/gateway/budget.ts'
import { createKnownMachines } from '#server/gateway/known-machines.ts'
import { saleColumns } from './copy.ts'

const { DATABASE_URL = '', ROLE_PASSWORD = '' } = process.env
const doors = openDoors(openPools(DATABASE_URL, ROLE_PASSWORD, 2))
const knownMachines = createKnownMachines(doors)
const owner = new pg.Pool({ connectionString: DATABASE_URL, max: 20 })
const insert = `insert into transactions (${saleColumns.join(', ')}) values (${saleColumns.map((_, n) => `$${n + 1}`).join(', ')})`

const broker = await startEmbeddedBroker(
  { host: '127.0.0.1', port: 0, maximumConnections: 5000 },
  {
    authenticate: knownMachines.authenticate,
    budget: createBudget({ perMachine: 1024 * 1024, inAll: 64 * 1024 * 1024 }),
    logOnce: () => {},
    events: {
      async message(serial, _kind, payload) {
        const machine = await knownMachines.find(serial)
        if (!machine) throw new Error(`${serial} is not known.`)
        const message = JSON.parse(Buffer.from(payload).toString()) as SaleBatch
        const now = new Date()
        for (const sale of message.items) {
          await owner.query(insert, [
            machine.merchantId,
            now,
            randomUUIDv7(),
            machine.id,
            now,
            sale.at,
            sale.type,
            sale.mediaType,
            0,
            false,
            false,
            sale.value,
            0,
            sale.seq,
            message.epoch,
            sale.priceLine,
            sale.product,
          ])
        }
      },
      unknownKind: async () => {},
      oversized: () => {},
      listening: () => {},
      alive: () => {},
      gone: () => {},
    },
  },
)
process.send?.(broker.port)
process.on('disconnect', () => process.exit(0))
