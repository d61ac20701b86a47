import type { PortalAlarm } from '#contract/vocabulary/alarm.ts'
import type { Connection } from '#contract/vocabulary/device.ts'
import { applyRules } from '#database/alarms/alarm-rule.ts'
import { isDistributed } from '#database/frame/distributed.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { isAway, isTransient } from '#database/frame/transient.ts'
import { type Condition, writeConditions } from '#database/machines/machine-condition.ts'
import { writeSensors } from '#database/machines/sensor.ts'
import { createBackoff } from '../backoff.ts'
import { StoppedError } from './batcher.ts'
import type { Log } from './log.ts'
import { isWithoutPartition, makeMonth } from './missing-month.ts'
import type { Announce } from './store-batch.ts'

export interface Conditions {
  /** Notes what is newest. What only moves an instant on may wait a few seconds. */
  note(condition: Condition): void
  /**
   * Notes it and resolves once it is committed, which is tried again while the database is away. Rejects when this condition cannot be
   * written though the database is there, and when this stops before.
   */
  store(condition: Condition): Promise<void>
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

/** A caller that waits for a condition to be stored. */
type Asker = { resolve: () => void; reject: (error: unknown) => void }
type Waiting = { condition: Condition; isUrgent: boolean; isVisible: boolean; askers: Asker[] }

/** What a sign of life can raise or end. */
const rules: readonly PortalAlarm[] = ['noData', 'signalLow', 'temperatureHigh', 'temperatureLow', 'clockWrong']

/**
 * Gathers what messages say of machines' conditions and writes many at once, with the alarms that they raise and end, beside the
 * transactions that store items.
 */
export function createConditions(
  doors: Doors,
  announce: Announce,
  noDataMinutes: number,
  log: Pick<Log, 'error'>,
): Conditions {
  const waiting = new Map<string, Waiting>()
  const written = new Map<string, { nextAt: number; connection: Connection | undefined }>()
  const backoff = createBackoff()
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  let isStopped = false

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
      let isThere = true
      for (const together of groupsOf(chosen)) isThere = (await storeAll(together)) && isThere
      if (isThere) backoff.worked()
      else backoff.failed()
      isMore = isThere && (everything || chosen.length === rowsAtOnce)
    }
  }

  /** Conditions that are written in one transaction: on a distributed database those of one merchant. */
  const groupsOf = (chosen: readonly Waiting[]): Iterable<readonly Waiting[]> =>
    isDistributed() ? Map.groupBy(chosen, ({ condition }) => condition.merchantId).values() : [chosen]

  /** Answers whether the database is there. What it refuses for good is found by halving, so that it holds up no other machine. */
  async function storeAll(chosen: readonly Waiting[]): Promise<boolean> {
    try {
      await commitInAnyMonth(chosen.map(({ condition }) => condition))
    } catch (error) {
      if (isAway(error)) {
        for (const each of chosen) putBack(each)
        return false
      }
      const middle = chosen.length >> 1
      if (middle > 0) {
        const isThere = await storeAll(chosen.slice(0, middle))
        return (await storeAll(chosen.slice(middle))) && isThere
      }
      // A transient error is not the machine's fault: it gets no acknowledgement and sends it again.
      if (isTransient(error))
        log.error({ error, machineId: chosen[0]?.condition.machineId }, 'A condition cannot be written')
      for (const { askers } of chosen) for (const { reject } of askers) reject(error)
      return true
    }
    for (const { condition, isVisible, askers } of chosen) {
      if (isVisible) announce(condition.merchantId, 'machine', condition.machineId)
      for (const { resolve } of askers) resolve()
    }
    return true
  }

  /** The history of sensors may lack this month's partition where no worker has run for long. */
  async function commitInAnyMonth(conditions: readonly Condition[]): Promise<void> {
    try {
      await commit(conditions)
    } catch (error) {
      if (!isWithoutPartition(error)) throw error
      const months = new Set(conditions.map(({ lastSeenAt }) => `${lastSeenAt.toISOString().slice(0, 7)}-01T00:00:00Z`))
      for (const month of months) await makeMonth(doors, month)
      await commit(conditions)
    }
  }

  async function commit(conditions: readonly Condition[]): Promise<void> {
    const merchants = [...new Set(conditions.map(({ merchantId }) => merchantId))]
    const scope = merchants.map((merchantId) => ({ merchantId, groups: 'all' as const }))
    const machineIds = conditions.map(({ machineId }) => machineId)
    await doors.withTenant(scope, async (db) => {
      // Another process may have said meanwhile that nothing is known of a machine.
      const moved = await writeConditions(db, conditions)
      await writeSensors(db, conditions)
      const changed = await applyRules(db, machineIds, rules, { at: new Date(), listeningSince: null, noDataMinutes })
      db.afterCommit(() => {
        for (const { merchantId, machineId } of changed) announce(merchantId, 'alarm', machineId)
        for (const { merchantId, machineId } of moved) announce(merchantId, 'machine', machineId)
      })
    })
  }

  /** Only the newest counts: what was noted meanwhile is laid over what could not be written. */
  function putBack({ condition, isUrgent, isVisible, askers }: Waiting): void {
    const newer = waiting.get(condition.machineId)
    waiting.set(condition.machineId, {
      condition: { ...condition, ...newer?.condition },
      isUrgent: isUrgent || newer?.isUrgent === true,
      isVisible: isVisible || newer?.isVisible === true,
      askers: [...askers, ...(newer?.askers ?? [])],
    })
  }

  function add(condition: Condition, askers: Asker[]): void {
    const before = waiting.get(condition.machineId)
    const told = Object.keys(condition) as (keyof Condition)[]
    const isChanged = condition.connection !== undefined && condition.connection !== connectionOf(condition.machineId)
    const isNews = isChanged || told.some((key) => condition[key] !== undefined && !mayWait.has(key))
    waiting.set(condition.machineId, {
      condition: before ? { ...before.condition, ...condition } : condition,
      isUrgent: isNews || askers.length > 0 || before?.isUrgent === true,
      isVisible: isNews || before?.isVisible === true,
      askers: before?.askers.length ? [...before.askers, ...askers] : askers,
    })
  }

  const timer = setInterval(() => {
    if (isWriting || waiting.size === 0 || !backoff.isDue()) return
    isWriting = true
    writing = write(false).finally(() => {
      isWriting = false
    })
  }, flushMs)

  return {
    note: (condition) => add(condition, []),
    store: (condition) =>
      new Promise((resolve, reject) => {
        if (isStopped) reject(new StoppedError())
        else add(condition, [{ resolve, reject }])
      }),
    async stop() {
      clearInterval(timer)
      await writing
      await write(true)
      isStopped = true
      for (const { askers } of waiting.values()) for (const { reject } of askers) reject(new StoppedError())
    },
  }
}
