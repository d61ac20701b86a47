import { setTimeout as pause } from 'node:timers/promises'
import { isAway, isTransient } from '#database/frame/transient.ts'
import { type Cause, causedBy, currentCause, traced } from '#database/frame/watching/cause.ts'
import { createBackoff } from '../retry/backoff.ts'
import { StoppedError } from '../threads/stopped.ts'
import { counted } from './metrics.ts'

/** An item to be batched. Two items of one machine are never stored at the same time. */
export interface Gathered {
  machine: { id: string; merchantId: string }
  /** Its share of a batch. */
  weight: number
  /** When its oldest part happened, in milliseconds since 1970. Without it, its arrival counts. */
  at?: number | undefined
}

export interface Batcher<In extends Gathered, Out> {
  /**
   * Resolves once the item is committed. Rejects if the database refuses the row, if storing fails repeatedly while the
   * database is available (a transient error, so the machine sends it again), and if the batcher stops first.
   */
  add(input: In): Promise<Out>
  /** Stores waiting items for up to `graceMs`, then gives up. */
  stop(graceMs: number): Promise<void>
}

export interface BatcherSettings {
  /** A batch is stored at this weight … */
  fullWeight: number
  /** … or when its first item has waited this long. */
  delayMs: number
  /** Maximum weight of one transaction. */
  maximumWeight: number
  maximumMerchants: number
  /** Simultaneous transactions. */
  parallel: number
}

/** A backlog is stored in the order of the clock. Items that are older at their arrival go ahead by this much at most: others must not starve. */
const mostAheadMs = 5 * 60_000

/** Maximum queues in memory, including empty queues. */
const queuesKept = 10_000

const retryMs = { leastMs: 50, mostMs: 3000 }
/** An unknown error may be transient: a batch is retried this often before it is halved. */
const triesOfFault = 3

/**
 * Groups items of machines into transactions. Items of one machine are stored in their order, and a backlog of many machines in the order of
 * the clock. While the database is away, a
 * batch waits and is retried. If the database refuses a batch, or our code fails on it, the batch is halved until the bad
 * item is found, and the rest is stored.
 */
export function createBatcher<In extends Gathered, Out>(
  store: (inputs: In[]) => Promise<Out[]>,
  settings: BatcherSettings,
): Batcher<In, Out> {
  type Waiting = {
    input: In
    since: number
    rank: number
    cause: Cause
    resolve: (out: Out) => void
    reject: (error: unknown) => void
  }
  type Queue = { waiting: Waiting[]; isBusy: boolean }
  /** A queue, how many of its items are taken, and the rank of the next. */
  type Head = { queue: Queue; count: number; rank: number }
  const rankOf = ({ waiting }: Queue) => waiting[0]?.rank ?? 0
  /**
   * Queues by machine, kept when empty. Removing and adding them with every message would copy the table many times a
   * second. V8 links a discarded table to the next, so all tables and their messages would outlive the young generation.
   */
  let queues = new Map<string, Queue>()
  let pruneAt = queuesKept
  /** Queues with items. */
  let order: Queue[] = []
  const stopped = new AbortController()
  let active = 0
  let weight = 0
  let timer: NodeJS.Timeout | undefined
  let isStopping = false
  let idle: (() => void) | undefined

  function queueOf(machineId: string): Queue {
    const existing = queues.get(machineId)
    if (existing) return existing
    if (queues.size >= pruneAt) {
      queues = new Map([...queues].filter(([, { waiting, isBusy }]) => isBusy || waiting.length > 0))
      pruneAt = Math.max(queuesKept, 2 * queues.size)
    }
    const queue = { waiting: [], isBusy: false }
    queues.set(machineId, queue)
    return queue
  }

  /** The machines of the next batch, the longest waiting first. A backlog is shared out among the transactions, machine by machine. */
  function nextQueues(): Queue[] {
    const free = order.filter(({ isBusy }) => !isBusy).sort((a, b) => rankOf(a) - rankOf(b))
    const most = weight > settings.maximumWeight ? Math.ceil(free.length / (settings.parallel - active)) : free.length
    const merchants = new Set<string>()
    const picked: Queue[] = []
    for (const queue of free) {
      if (picked.length >= most) break
      const merchantId = queue.waiting[0]?.input.machine.merchantId ?? ''
      if (!merchants.has(merchantId) && merchants.size >= settings.maximumMerchants) continue
      merchants.add(merchantId)
      picked.push(queue)
    }
    return picked
  }

  /** Takes the oldest items of these machines, up to the maximum weight. */
  function takeBatch(): { batch: Waiting[]; from: Queue[] } {
    const heads: Head[] = nextQueues().map((queue) => ({ queue, count: 0, rank: rankOf(queue) }))
    const open = [...heads]
    let heavy = 0
    for (let head = open.shift(); head && heavy < settings.maximumWeight; head = open.shift()) {
      const { waiting } = head.queue
      heavy += waiting[head.count++]?.input.weight ?? 0
      const next = waiting[head.count]
      // After a machine has moved, one batch holds items of one merchant only.
      if (!next || next.input.machine.merchantId !== waiting[0]?.input.machine.merchantId) continue
      head.rank = next.rank
      open.splice(placeOf(open, head.rank), 0, head)
    }
    const filled = heads.filter(({ count }) => count > 0)
    const batch = filled.flatMap(({ queue, count }) => queue.waiting.splice(0, count))
    for (const { queue } of filled) queue.isBusy = true
    order = order.filter(({ waiting }) => waiting.length > 0)
    weight -= heavy
    return { batch, from: filled.map(({ queue }) => queue) }
  }

  function pump(isDue: boolean): void {
    while (active < settings.parallel && weight > 0 && (isDue || isStopping || weight >= settings.fullWeight)) {
      const { batch, from } = takeBatch()
      if (batch.length === 0) return
      active += 1
      storeTraced(batch).finally(() => {
        for (const queue of from) queue.isBusy = false
        active -= 1
        // Keep gathering: a small transaction now costs as much as a large one a little later.
        pump(false)
        if (active === 0 && weight === 0) idle?.()
      })
    }
    if (weight > 0 && active < settings.parallel && !timer) {
      timer = setTimeout(() => {
        timer = undefined
        pump(true)
      }, settings.delayMs)
    }
  }

  /** A transaction belongs to the trace of its first item, and names those of the others. */
  function storeTraced(batch: Waiting[]): Promise<void> {
    const [first, ...others] = batch.map(({ cause }) => cause)
    const links = others.flatMap(({ span }) => span ?? [])
    const facts = { 'gettone.batch.items': batch.length }
    return causedBy(first ?? {}, () =>
      traced({ name: 'store batch', kind: 'internal', facts, links }, () => run(batch)),
    )
  }

  async function run(batch: Waiting[], tries = triesOfFault): Promise<void> {
    const backoff = createBackoff(retryMs)
    for (let faults = 0; ; ) {
      try {
        const outs = await store(batch.map(({ input }) => input))
        const now = performance.now()
        counted.batchItems.observe(batch.reduce((sum, { input }) => sum + input.weight, 0))
        batch.forEach((waiting, index) => {
          counted.commitSeconds.observe((now - waiting.since) / 1000)
          waiting.resolve(outs[index] as Out)
        })
        return
      } catch (error) {
        if (stopped.signal.aborted) return giveUp(batch)
        if (isAway(error) || (isTransient(error) && ++faults < tries)) {
          counted.retries.inc()
          await pause(backoff.failed(), undefined, { signal: stopped.signal }).catch(() => {})
          if (stopped.signal.aborted) return giveUp(batch)
          continue
        }
        const [only] = batch
        if (batch.length === 1) return only?.reject(error)
        const middle = batch.length >> 1
        const triesOfHalf = isTransient(error) ? 1 : triesOfFault
        await run(batch.slice(0, middle), triesOfHalf)
        return run(batch.slice(middle), triesOfHalf)
      }
    }
  }

  function giveUp(batch: Waiting[]): void {
    for (const { reject } of batch) reject(new StoppedError())
  }

  return {
    add: (input) =>
      new Promise((resolve, reject) => {
        if (stopped.signal.aborted) return reject(new StoppedError())
        const since = performance.now()
        const ahead = Math.min(mostAheadMs, Math.max(0, Date.now() - (input.at ?? Date.now())))
        const waiting = { input, since, rank: since - ahead, cause: currentCause(), resolve, reject }
        const queue = queueOf(input.machine.id)
        if (queue.waiting.push(waiting) === 1) order.push(queue)
        weight += input.weight
        pump(false)
      }),
    async stop(graceMs) {
      isStopping = true
      pump(true)
      if (active > 0 || weight > 0) {
        const isIdle = new Promise<void>((resolve) => {
          idle = resolve
        })
        await Promise.race([isIdle, pause(graceMs, undefined, { ref: false })])
      }
      stopped.abort()
      clearTimeout(timer)
      giveUp(order.flatMap((queue) => queue.waiting))
      order = []
    },
  }
}

/** Where an item of this rank belongs among sorted ones: after those of the same rank. */
function placeOf(sorted: readonly { rank: number }[], rank: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.rank ?? 0) <= rank) low = middle + 1
    else high = middle
  }
  return low
}
