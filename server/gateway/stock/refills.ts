import type { Refill } from '#contract/device-protocol.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { machinesWithRefills, type RefillLine, sendLater, takeRefills } from '#database/stock/refill-outbox.ts'
import type { Log } from '../../log/once-log.ts'
import { serverTime } from '../acknowledgements.ts'
import { createNodeChecks } from '../node-checks.ts'

export interface Refills {
  /** What a machine must still count. `isAsked`: it has connected, or requests it. */
  waitingFor(machine: KnownMachine, how: { isAsked: boolean }): Promise<Refill[]>
  stop(): Promise<void>
}

const pollMs = 1000
const machinesAtOnce = 200

const scopeOf = (merchantId: string) => [{ merchantId, groups: 'all' as const }]

/** Lines as messages, oldest first. */
const messagesOf = (lines: readonly RefillLine[], timeZone: string): Refill[] =>
  [...Map.groupBy(lines, ({ id }) => id)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, refillLines]) => {
      const at = (refillLines[0] as RefillLine).at.getTime()
      return {
        id,
        at: serverTime(timeZone, at),
        lines: refillLines.map(({ selection, counted, waste, loaded }) => ({
          selection,
          ...(counted !== null && { counted }),
          waste,
          loaded,
        })),
      }
    })

/** Sends machines what users did at them, until their reports name it. */
export function createRefills(
  doors: Doors,
  transport: { isReachable(serial: string): boolean; sendRefill(serial: string, refill: Refill): void },
  find: (serial: string) => Promise<KnownMachine | null>,
  log: Log,
): Refills {
  async function sendDue(among: readonly string[] | undefined): Promise<boolean> {
    const due = await machinesWithRefills(doors, new Date(), machinesAtOnce, among)
    for (const [merchantId, machines] of Map.groupBy(due, (machine) => machine.merchantId)) {
      const reached = machines.filter(({ serial }) => transport.isReachable(serial))
      const lines = await doors.withTenant(scopeOf(merchantId), async (db) => {
        const now = new Date()
        const idsOf = (some: typeof machines) => some.map(({ machineId }) => machineId)
        await sendLater(db, idsOf(machines.filter((machine) => !reached.includes(machine))), now)
        return takeRefills(db, idsOf(reached), now, { isAsked: false })
      })
      for (const { machineId, serial } of reached) {
        const machine = await find(serial)
        const machineLines = lines.filter((line) => line.machineId === machineId)
        if (machine)
          for (const refill of messagesOf(machineLines, machine.timeZone)) transport.sendRefill(serial, refill)
      }
    }
    return false
  }

  const checks = createNodeChecks(sendDue, (error) => log.debug({ error }, 'Refills could not be sent'))
  const polling = setInterval(checks.begin, pollMs)

  return {
    async waitingFor(machine, how) {
      const lines = await doors.withTenant(scopeOf(machine.merchantId), (db) =>
        takeRefills(db, [machine.id], new Date(), how),
      )
      return messagesOf(lines, machine.timeZone)
    },
    async stop() {
      clearInterval(polling)
      await checks.stop()
    },
  }
}
