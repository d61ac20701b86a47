import { once } from 'node:events'
import { pino } from 'pino'
import { openPools } from '#database/frame/pool.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { writeStore } from '#simulator/store.ts'
import { ensureDemo } from './story.ts'

export type MakingOrders = {
  adminUrl: string
  rolePassword: string
  secretKey: string
  /** The folder in which the simulator will find its machines. */
  folder: string
}

/** Creates the demo for its parent process, saves the machines' memories for the simulator and sends the result. */
const [orders] = (await once(process, 'message')) as [MakingOrders]
const { adminUrl, rolePassword, secretKey, folder } = orders
const pools = openPools(adminUrl, rolePassword, 3)
const { machines, made } = await ensureDemo({
  adminUrl,
  doors: openDoors(pools),
  config: { secretKey },
  log: pino({ level: 'silent' }),
})
writeStore(
  folder,
  machines.flatMap(({ plan, memory }) => (memory ? [[plan.serial, { memory, pending: [] }] as const] : [])),
)
await pools.end()
process.send?.(made, undefined, undefined, () => process.exit(0))
