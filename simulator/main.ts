import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ConnectorPlan, startConnector } from './connector/connector.ts'
import { startControlServer } from './control-server.ts'
import { startFleet } from './fleet.ts'
import { MachinePlan } from './plan.ts'

/** The simulator's settings, in a file that only its user may read, or in the first message of its parent. */
const Orders = z.object({
  /** Such as `mqtt://127.0.0.1:1883`. */
  broker: z.url(),
  /** Such as `http://localhost:8080`. */
  portal: z.url().optional(),
  members: z.array(z.object({ plan: MachinePlan, lastSeq: z.int() })),
  /** The folder in which the machines are stored between starts. */
  folder: z.string(),
  /** The share of visits at which a technician edits a price. */
  priceEdits: z.number().min(0).max(1).optional(),
  /** Computers with the connector application. */
  connectors: z.array(ConnectorPlan).default([]),
  control: z.object({ port: z.int(), token: z.string() }).optional(),
})

function ordersFromParent(): Promise<unknown> {
  return new Promise((resolve) => process.once('message', resolve))
}

const { values } = parseArgs({ options: { orders: { type: 'string' } } })
const input = values.orders === undefined ? await ordersFromParent() : JSON.parse(readFileSync(values.orders, 'utf8'))
const orders = Orders.parse(input)
const fleet = startFleet(orders)
const connectors = orders.connectors.map(startConnector)
const control = orders.control && (await startControlServer({ ...orders.control, ...fleet }))

let isStopping = false
async function stop() {
  if (isStopping) return
  isStopping = true
  control?.close()
  for (const connector of connectors) connector.stop()
  await Promise.race([fleet.stop(), new Promise((resolve) => setTimeout(resolve, 5000))])
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
// Stops when the parent process has ended, even without a message.
process.on('disconnect', () => void stop())
process.send?.('ready')
