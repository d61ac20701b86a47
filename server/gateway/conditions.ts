import type { PortalAlarm } from '#contract/vocabulary/alarm.ts'
import type { Connection } from '#contract/vocabulary/device.ts'
import { applyRules } from '#database/alarms/alarm-rule.ts'
import { isDistributed } from '#database/frame/distributed.ts'
import { nodeOf } from '#database/frame/nodes/placement.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { isAway, isTransient } from '#database/frame/transient.ts'
import { type Condition, writeConditions } from '#database/machines/machine-condition.ts'
import { writeSensors } from '#database/machines/sensor.ts'
import type { Log } from '../log/once-log.ts'
import { createBackoff } from '../retry/backoff.ts'
import { StoppedError } from '../threads/stopped.ts'
import { isWithoutPartition, makeMonth } from './missing-month.ts'
import type { Announce } from './store-batch.ts'

export interface Conditions {
  /** Queues a condition to be stored. A change of an instant alone may wait a few seconds. */
  note(condition: Condition): void
  /**
   * Queues a condition and resolves once it is committed, with retries while the database is away. Rejects if the database
   * refuses this condition, and if the server stops first.
   */
  store(condition: Condition): Promise<void>
  /** Stores pending conditions. */
  stop(): Promise<void>
}

const flushMs = 200
/**
 * Range of the pause between two writes of "last seen" and similar instants of one machine. Without it, machines that
 * connected together would be written together, and sales would wait.
 */
const instantsMs = { least: 3500, most: 6500 }
const rowsAtOnce = 500

const mayWait = new Set<keyof Condition>([
  ...(['merchantId', 'machineId', 'lastSeenAt', 'lastPingAt', 'lastSaleAt'] as const),
  // Unless it has changed.
  'connection',
])

/** A caller that waits for a condition to be stored. */
type WaitingCaller = { resolve: () => void; reject: (error: unknown) => void }
type Waiting = { condition: Condition; isUrgent: boolean; isVisible: boolean; callers: WaitingCaller[] }

/** Alarms that a sign of life can raise or end. */
const rules: readonly PortalAlarm[] = ['noData', 'signalLow', 'temperatureHigh', 'temperatureLow', 'clockWrong']

interface ConditionParts {
  doors: Doors
  announce: Announce
  noDataMinutes: number
}

/** Conditions for one transaction: on a distributed database those of one merchant. */
const groupsOf = (conditions: readonly Waiting[]): Iterable<readonly Waiting[]> =>
  isDistributed() ? Map.groupBy(conditions, ({ condition }) => condition.merchantId).values() : [conditions]

/** If no worker has run for long, the sensor history has no partition for this month. */
async function commitInAnyMonth(conditions: readonly Condition[], parts: ConditionParts): Promise<void> {
  try {
    await commit(conditions, parts)
  } catch (error) {
    if (!isWithoutPartition(error)) throw error
    const months = new Set(conditions.map(({ lastSeenAt }) => `${lastSeenAt.toISOString().slice(0, 7)}-01T00:00:00Z`))
    for (const month of months) await makeMonth(parts.doors, month)
    await commit(conditions, parts)
  }
}

async function commit(
  conditions: readonly Condition[],
  { doors, announce, noDataMinutes }: ConditionParts,
): Promise<void> {
  const merchants = [...new Set(conditions.map(({ merchantId }) => merchantId))]
  const scope = merchants.map((merchantId) => ({ merchantId, groups: 'all' as const }))
  const machineIds = conditions.map(({ machineId }) => machineId)
  await doors.withTenant(scope, async (db) => {
    // Another process may have marked the machine as silent meanwhile.
    const moved = await writeConditions(db, conditions)
    await writeSensors(db, conditions)
    const changed = await applyRules(db, machineIds, rules, { at: new Date(), listeningSince: null, noDataMinutes })
    db.afterCommit(() => {
      for (const { merchantId, machineId } of changed) announce(merchantId, 'alarm', machineId)
      for (const { merchantId, machineId } of moved) announce(merchantId, 'machine', machineId)
    })
  })
}

/** Two conditions of one machine as one: the newer values count. */
const merged = (older: Waiting, newer: Waiting | undefined): Waiting => ({
  condition: { ...older.condition, ...newer?.condition },
  isUrgent: older.isUrgent || newer?.isUrgent === true,
  isVisible: older.isVisible || newer?.isVisible === true,
  callers: [...older.callers, ...(newer?.callers ?? [])],
})

/**
 * Collects machines' conditions from messages and writes many at once, with the alarms that they raise and end. This runs
 * beside the transactions that store items. Each database node has its own writer: a node that is away delays no other.
 */
export function createConditions(
  doors: Doors,
  announce: Announce,
  noDataMinutes: number,
  log: Pick<Log, 'error'>,
): Conditions {
  const writers = new Map<string, Conditions>()
  const writerOf = ({ merchantId }: Condition): Conditions => {
    const node = nodeOf(merchantId)
    const writer = writers.get(node) ?? createWriter(doors, announce, noDataMinutes, log)
    writers.set(node, writer)
    return writer
  }
  let isStopped = false
  return {
    note(condition) {
      if (!isStopped) writerOf(condition).note(condition)
    },
    store: async (condition) => {
      if (isStopped) throw new StoppedError()
      return writerOf(condition).store(condition)
    },
    async stop() {
      isStopped = true
      await Promise.all([...writers.values()].map((writer) => writer.stop()))
    },
  }
}

/** Writes the conditions of one node's machines. */
function createWriter(doors: Doors, announce: Announce, noDataMinutes: number, log: Pick<Log, 'error'>): Conditions {
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
    const dueConditions: Waiting[] = []
    for (const [machineId, each] of waiting) {
      if (dueConditions.length === rowsAtOnce) break
      if (!everything && !each.isUrgent && now < (written.get(machineId)?.nextAt ?? 0)) continue
      dueConditions.push(each)
      waiting.delete(machineId)
      const { connection = written.get(machineId)?.connection } = each.condition
      const { least, most } = instantsMs
      written.set(machineId, { nextAt: now + least + Math.random() * (most - least), connection })
    }
    return dueConditions
  }

  /** Conditions that fall due meanwhile wait for the next write: small transactions would delay sales. */
  async function write(everything: boolean): Promise<void> {
    for (let isMore = true; isMore; ) {
      const dueConditions = due(everything)
      if (dueConditions.length === 0) return
      let isThere = true
      for (const together of groupsOf(dueConditions)) isThere = (await storeAll(together)) && isThere
      if (isThere) backoff.worked()
      else backoff.failed()
      isMore = isThere && (everything || dueConditions.length === rowsAtOnce)
    }
  }

  /**
   * Returns whether the database is available. A condition that it refuses is found by halving, so that it delays no other
   * machine.
   */
  async function storeAll(conditions: readonly Waiting[]): Promise<boolean> {
    try {
      await commitInAnyMonth(
        conditions.map(({ condition }) => condition),
        { doors, announce, noDataMinutes },
      )
    } catch (error) {
      if (isAway(error)) {
        for (const each of conditions) putBack(each)
        return false
      }
      const middle = conditions.length >> 1
      if (middle > 0) {
        const isThere = await storeAll(conditions.slice(0, middle))
        return (await storeAll(conditions.slice(middle))) && isThere
      }
      // A transient error is not the machine's fault: it gets no acknowledgement and sends the message again.
      if (isTransient(error))
        log.error({ error, machineId: conditions[0]?.condition.machineId }, 'A condition cannot be written')
      for (const { callers } of conditions) for (const { reject } of callers) reject(error)
      return true
    }
    for (const { condition, isVisible, callers } of conditions) {
      if (isVisible) announce(condition.merchantId, 'machine', condition.machineId)
      for (const { resolve } of callers) resolve()
    }
    return true
  }

  /** Only the newest values count: values that arrived meanwhile replace values that could not be written. */
  function putBack(unwritten: Waiting): void {
    const { machineId } = unwritten.condition
    waiting.set(machineId, merged(unwritten, waiting.get(machineId)))
  }

  function add(condition: Condition, callers: WaitingCaller[]): void {
    const before = waiting.get(condition.machineId)
    const reported = Object.keys(condition) as (keyof Condition)[]
    const isChanged = condition.connection !== undefined && condition.connection !== connectionOf(condition.machineId)
    const isNews = isChanged || reported.some((key) => condition[key] !== undefined && !mayWait.has(key))
    waiting.set(condition.machineId, {
      condition: before ? { ...before.condition, ...condition } : condition,
      isUrgent: isNews || callers.length > 0 || before?.isUrgent === true,
      isVisible: isNews || before?.isVisible === true,
      callers: before?.callers.length ? [...before.callers, ...callers] : callers,
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
      for (const { callers } of waiting.values()) for (const { reject } of callers) reject(new StoppedError())
    },
  }
}
