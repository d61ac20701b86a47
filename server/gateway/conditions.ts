import type { PortalAlarm } from '#contract/vocabulary/alarm.ts'
import type { Connection } from '#contract/vocabulary/device.ts'
import { applyRules } from '#database/alarm-rule.ts'
import { type Condition, writeConditions } from '#database/machine-condition.ts'
import { writeSensors } from '#database/sensor.ts'
import type { Doors } from '#database/tenant.ts'
import type { Announce } from './store-batch.ts'

export interface Conditions {
  /** Notes what is newest. What only moves an instant on may wait a few seconds. */
  note(condition: Condition): void
  /** Writes what waits. */
  stop(): Promise<void>
}

const flushMs = 200
/**
 * After how long "last seen" and its like are written again for one machine: between these. Machines that came at the same time would
 * otherwise all be written at the same time, and the sales of that moment wait.
 */
const instantsMs = { least: 3500, most: 6500 }
const rowsAtOnce = 500

const mayWait = new Set<keyof Condition>([
  ...(['merchantId', 'machineId', 'lastSeenAt', 'lastPingAt', 'lastSaleAt'] as const),
  // Unless it has changed.
  'connection',
])

type Waiting = { condition: Condition; isUrgent: boolean; isVisible: boolean }

/** What a sign of life can raise or end. */
const rules: readonly PortalAlarm[] = ['noData', 'signalLow', 'temperatureHigh', 'temperatureLow', 'clockWrong']

/**
 * Gathers what messages say of machines' conditions and writes many at once, with the alarms that they raise and end, beside the
 * transactions that store items.
 */
export function createConditions(doors: Doors, announce: Announce, noDataMinutes: number): Conditions {
  const waiting = new Map<string, Waiting>()
  const written = new Map<string, { nextAt: number; connection: Connection | undefined }>()
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false

  const connectionOf = (machineId: string) =>
    waiting.get(machineId)?.condition.connection ?? written.get(machineId)?.connection

  function due(everything: boolean): Waiting[] {
    const now = Date.now()
    const chosen: Waiting[] = []
    for (const [machineId, each] of waiting) {
      if (chosen.length === rowsAtOnce) break
      if (!everything && !each.isUrgent && now < (written.get(machineId)?.nextAt ?? 0)) continue
      chosen.push(each)
      waiting.delete(machineId)
      const { connection = written.get(machineId)?.connection } = each.condition
      const { least, most } = instantsMs
      written.set(machineId, { nextAt: now + least + Math.random() * (most - least), connection })
    }
    return chosen
  }

  /** What falls due meanwhile waits for the next time: few at a time would be many transactions, each at the cost of sales. */
  async function write(everything: boolean): Promise<void> {
    for (let isMore = true; isMore; ) {
      const chosen = due(everything)
      if (chosen.length === 0) return
      isMore = everything || chosen.length === rowsAtOnce
      const conditions = chosen.map(({ condition }) => condition)
      const merchants = [...new Set(conditions.map(({ merchantId }) => merchantId))]
      const scope = merchants.map((merchantId) => ({ merchantId, groups: 'all' as const }))
      const machineIds = conditions.map(({ machineId }) => machineId)
      try {
        await doors.withTenant(scope, async (db) => {
          // Another process may have said meanwhile that nothing is known of a machine.
          const moved = await writeConditions(db, conditions)
          await writeSensors(db, conditions)
          const changed = await applyRules(db, machineIds, rules, {
            at: new Date(),
            listeningSince: null,
            noDataMinutes,
          })
          db.afterCommit(() => {
            for (const { merchantId, machineId } of changed) announce(merchantId, 'alarm', machineId)
            for (const { merchantId, machineId } of moved) announce(merchantId, 'machine', machineId)
          })
        })
      } catch {
        // Only the newest counts: what was noted meanwhile is laid over what could not be written.
        for (const { condition, ...flags } of chosen) {
          const newer = waiting.get(condition.machineId)
          waiting.set(condition.machineId, {
            condition: { ...condition, ...newer?.condition },
            isUrgent: flags.isUrgent || newer?.isUrgent === true,
            isVisible: flags.isVisible || newer?.isVisible === true,
          })
        }
        return
      }
      for (const { condition, isVisible } of chosen)
        if (isVisible) announce(condition.merchantId, 'machine', condition.machineId)
    }
  }

  const timer = setInterval(() => {
    if (isWriting || waiting.size === 0) return
    isWriting = true
    writing = write(false).finally(() => {
      isWriting = false
    })
  }, flushMs)

  return {
    note(condition) {
      const before = waiting.get(condition.machineId)
      const told = Object.keys(condition) as (keyof Condition)[]
      const isChanged = condition.connection !== undefined && condition.connection !== connectionOf(condition.machineId)
      const isUrgent = isChanged || told.some((key) => condition[key] !== undefined && !mayWait.has(key))
      waiting.set(condition.machineId, {
        condition: before ? { ...before.condition, ...condition } : condition,
        isUrgent: isUrgent || before?.isUrgent === true,
        isVisible: isUrgent || before?.isVisible === true,
      })
    },
    async stop() {
      clearInterval(timer)
      await writing
      await write(true)
    },
  }
}
