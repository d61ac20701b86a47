import { setTimeout as pause } from 'node:timers/promises'
import { isTransient } from '#database/transient.ts'
import { counted } from './metrics.ts'

/** What can be gathered: it belongs to a machine, whose own things are never stored two at a time. */
interface Gathered {
  machine: { id: string; merchantId: string }
  /** How much of a batch it is. */
  weight: number
}

export interface Batcher<In extends Gathered, Out> {
  /** Answers once it is committed. Rejects when the database will never take it, and when the batcher stops before. */
  add(input: In): Promise<Out>
  /** Stores what is waiting, for as long as `graceMs`, then gives up. */
  stop(graceMs: number): Promise<void>
}

/** The batcher was stopped before the thing was stored. */
export class StoppedError extends Error {
  constructor() {
    super('Stopped before it was stored')
    this.name = 'StoppedError'
  }
}

export interface BatcherSettings {
  /** A batch is stored when it weighs this much … */
  fullWeight: number
  /** … or when its first thing has waited this long. */
  delayMs: number
  /** At most so heavy, and of so many merchants, is one transaction. */
  maximumWeight: number
  maximumMerchants: number
  /** Transactions at once. */
  parallel: number
}

const pauses = [50, 100, 200, 500, 1000, 2000, 5000]

/**
 * Gathers what machines send into transactions. What one machine sends is stored in its order. While the database is away a
 * batch waits and tries again; what the database refuses for good is found by halving the batch, so that the rest is stored.
 */
export function createBatcher<In extends Gathered, Out>(
  store: (inputs: In[]) => Promise<Out[]>,
  settings: BatcherSettings,
): Batcher<In, Out> {
  type Waiting = { input: In; since: number; resolve: (out: Out) => void; reject: (error: unknown) => void }
  /** By machine, the longest waiting machine first. */
  const queues = new Map<string, Waiting[]>()
  const busy = new Set<string>()
  const stopped = new AbortController()
  let [active, weight] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  let isStopping = false
  let idle: (() => void) | undefined

  function takeBatch(): Waiting[] {
    const batch: Waiting[] = []
    const merchants = new Set<string>()
    let heavy = 0
    for (const [machineId, queue] of queues) {
      if (heavy >= settings.maximumWeight) break
      if (busy.has(machineId)) continue
      const merchantId = queue[0]?.input.machine.merchantId ?? ''
      if (!merchants.has(merchantId) && merchants.size >= settings.maximumMerchants) continue
      let count = 0
      while (count < queue.length && (count === 0 || heavy < settings.maximumWeight))
        heavy += queue[count++]?.input.weight ?? 0
      // A machine that has moved is stored under one merchant at a time.
      const others = queue.findIndex(({ input }) => input.machine.merchantId !== merchantId)
      const own = queue.splice(0, others === -1 ? count : Math.min(count, others))
      batch.push(...own)
      merchants.add(merchantId)
      busy.add(machineId)
      if (queue.length === 0) queues.delete(machineId)
    }
    weight -= batch.reduce((sum, { input }) => sum + input.weight, 0)
    return batch
  }

  function pump(isDue: boolean): void {
    while (active < settings.parallel && weight > 0 && (isDue || isStopping || weight >= settings.fullWeight)) {
      const batch = takeBatch()
      if (batch.length === 0) return
      active += 1
      run(batch).finally(() => {
        for (const { input } of batch) busy.delete(input.machine.id)
        active -= 1
        pump(true)
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

  async function run(batch: Waiting[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
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
        if (isTransient(error)) {
          counted.retries.inc()
          const waitMs = (pauses[attempt] ?? 5000) * (0.5 + Math.random() / 2)
          await pause(waitMs, undefined, { signal: stopped.signal }).catch(() => {})
          if (stopped.signal.aborted) return giveUp(batch)
          continue
        }
        const [only] = batch
        if (batch.length === 1) return only?.reject(error)
        const middle = batch.length >> 1
        await run(batch.slice(0, middle))
        return run(batch.slice(middle))
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
        const waiting = { input, since: performance.now(), resolve, reject }
        const queue = queues.get(input.machine.id)
        if (queue) queue.push(waiting)
        else queues.set(input.machine.id, [waiting])
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
      giveUp([...queues.values()].flat())
      queues.clear()
    },
  }
}
