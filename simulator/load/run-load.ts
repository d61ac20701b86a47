import { setTimeout as pause } from 'node:timers/promises'
import { type LatencySummary, openLatencies } from './latencies.ts'
import { type LoadMachine, type LoadMember, type LoadRules, startLoadMachine } from './load-machine.ts'

export interface LoadOptions extends LoadRules {
  members: readonly LoadMember[]
  /** Sales per second, over all machines. */
  rate: number
  seconds: number
  /** Maximum wait at the end for unconfirmed sales. */
  patienceSeconds: number
  /** Called when every machine is connected, before the first sale. */
  onReady?: () => void
  /** Sales continue beyond `seconds` until this settles. */
  until?: Promise<unknown>
  /** Called for each sale once the gateway has confirmed it: both instants by `performance.now()`. */
  onStored?: (soldAt: number, storedAt: number) => void
  /** Called once a second. */
  onProgress?: (progress: { second: number; sent: number; committed: number; waiting: number }) => void
}

export interface LoadReport {
  machines: number
  /** Sales of the machines, and how many of them the gateway has confirmed. */
  sent: number
  committed: number
  /** Unconfirmed sales when the maximum wait ended. */
  lost: number
  /** Sales per second while sending. */
  rate: number
  /** From publishing a message to its PUBACK, and from a sale's first sending to its ack, in milliseconds. */
  puback: LatencySummary | undefined
  acknowledged: LatencySummary | undefined
  seconds: number
  /** By serial: the number up to which the gateway has confirmed all items. */
  acknowledgedUpTo: ReadonlyMap<string, number>
}

const ticksPerSecond = 50
const connectsPerSecond = 200

/** Lets machines sell at a steady rate and returns the result. The members' `lastSeq` stay at their last numbers. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const puback = openLatencies()
  const committed = openLatencies()
  let sent = 0
  const measured = {
    puback,
    committed,
    sent: (items: number) => void (sent += items),
    stored: options.onStored ?? (() => {}),
  }
  const machines: LoadMachine[] = []
  for (const member of options.members) {
    machines.push(startLoadMachine(member, options, measured))
    if (machines.length % (connectsPerSecond / 10) === 0) await pause(100)
  }
  const waiting = () => machines.reduce((sum, machine) => sum + machine.waiting(), 0)
  const reminder = setInterval(() => {
    const now = performance.now()
    for (const machine of machines) machine.remind(now)
  }, 5_000)
  try {
    await Promise.all(machines.map(({ ready }) => ready))
    options.onReady?.()
    let isHeld = options.until !== undefined
    const release = () => {
      isHeld = false
    }
    options.until?.then(release, release)
    const started = performance.now()
    const messages = Math.round((options.rate * options.seconds) / options.itemsPerMessage)
    let confirmedSoFar = 0
    for (let done = 0, turn = 0; done < messages || isHeld; ) {
      const elapsed = (performance.now() - started) / 1000
      // The sales due until now; a late tick catches up.
      const due = Math.min(
        isHeld ? Number.POSITIVE_INFINITY : Math.max(messages, done),
        Math.ceil((elapsed * options.rate) / options.itemsPerMessage),
      )
      for (; done < due; done++) machines[turn++ % machines.length]?.sell()
      if (Math.floor(elapsed) > confirmedSoFar) {
        confirmedSoFar = Math.floor(elapsed)
        const left = waiting()
        options.onProgress?.({ second: confirmedSoFar, sent, committed: sent - left, waiting: left })
      }
      await pause(1000 / ticksPerSecond)
    }
    const seconds = (performance.now() - started) / 1000
    const deadline = performance.now() + options.patienceSeconds * 1000
    while (waiting() > 0 && performance.now() < deadline) await pause(50)
    return {
      machines: machines.length,
      sent,
      committed: sent - waiting(),
      lost: waiting(),
      rate: sent / seconds,
      puback: puback.summary(),
      acknowledged: committed.summary(),
      seconds: (performance.now() - started) / 1000,
      acknowledgedUpTo: new Map(machines.map((machine) => [machine.member.serial, machine.acknowledged()])),
    }
  } finally {
    clearInterval(reminder)
    await Promise.all(machines.map((machine) => machine.stop()))
  }
}
