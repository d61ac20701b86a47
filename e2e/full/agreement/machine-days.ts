import { randomUUID } from 'node:crypto'
import type { UpKind } from '#contract/device-protocol.ts'
import type { DemoMember } from '#demo/story.ts'
import { zoneClock } from '#simulator/clock.ts'
import { openMachineLife } from '#simulator/live.ts'
import type { MachineMemory } from '#simulator/memory.ts'
import { personalPlan } from '#simulator/own-state.ts'
import { randomFrom } from '#simulator/random.ts'
import { openVending } from '#simulator/vending.ts'
import { itemOf } from '#simulator/works/item-form.ts'
import type { MachineItem } from '#simulator/works/item-writer.ts'

const secondMs = 1000
const hourMs = 3600 * secondMs
const stepMs = 10 * secondMs
/** A visit, in which the machine sells nothing. */
const visitMs = 180 * secondMs
/** The demo's machines sell little; a day has twice their sales. */
const busy = 2

/** A visit of a technician: what was loaded, and the bag if the box was taken. */
export interface Visited {
  serial: string
  at: number
  loaded: { selection: string; pieces: number }[]
  bagNumber: string | null
}

/** Plays a day of a machine with the works of the simulator. Returns its items in their order, and the technician's visits. */
export function playDay({ plan: makers }: DemoMember, memory: MachineMemory, place: number, from: number, to: number) {
  const plan = personalPlan(makers, memory)
  const random = randomFrom(`day of ${plan.serial}`)
  const clock = zoneClock(plan.timeZone)
  const items: MachineItem[] = []
  const visits: Visited[] = []
  const vending = openVending(plan, memory, random, clock, (item) => {
    items.push({ ...item, at: Math.min(item.at, to) })
  })
  const course = openMachineLife(vending, random, clock, from, { share: 0, edit: () => {} })
  // Two of three machines are visited once; at every other visit the box is taken.
  const visitAt = place % 3 === 2 ? null : from + (3 + random.next() * 18) * hourMs
  const payOutAt = from + (2 + random.next() * 20) * hourMs
  const failAt = from + (2 + random.next() * 20) * hourMs
  let busyUntil = 0
  for (let now = from + stepMs; now <= to; now += stepMs) {
    const isNow = (at: number | null) => at !== null && at > now - stepMs && at <= now
    if (now >= busyUntil) course.step(now, busy)
    if (isNow(payOutAt) && place % 4 === 0) vending.payOut(now, plan.coins[2] ?? 0)
    if (isNow(failAt) && place % 2 === 0) {
      const offer = vending.offerTo(undefined, 2)
      const who = { mediaSerial: `DAY${String(place).padStart(5, '0')}`, mediaSource: 3 as const }
      if (offer) vending.sellTo(now, offer, { who, value: offer.price, isFailed: true })
    }
    if (isNow(visitAt)) {
      const takesMoney = place % 2 === 0
      visits.push({
        serial: plan.serial,
        at: now,
        loaded: plan.selections.flatMap(({ line, capacity }, index) => {
          const pieces = capacity - (memory.stock[index] ?? 0)
          return pieces > 0 ? [{ selection: String(line), pieces }] : []
        }),
        bagNumber: takesMoney ? `DAY-${place}` : null,
      })
      vending.visit(now, takesMoney)
      busyUntil = now + visitMs
    }
  }
  return { items, visits }
}

/** The last reading of a machine's counters and boxes. */
export function lastReading({ plan }: DemoMember, memory: MachineMemory, at: number): MachineItem[] {
  const items: MachineItem[] = []
  openVending(plan, memory, randomFrom('end'), zoneClock(plan.timeZone), (item) => items.push(item)).audit(at, 1)
  return items
}

/** Items in one message, and the time that one message collects. */
const mostItems = 100
const gatheredMs = hourMs

/** Sends items to the gateway over HTTP, in the order in which a telemetry box does. */
export async function sendItems(url: string, { plan }: DemoMember, items: readonly MachineItem[]): Promise<void> {
  const clock = zoneClock(plan.timeZone)
  const clockOf = (at: number) => clock.local(at + plan.driftSeconds * secondMs)
  const authorization = `Basic ${Buffer.from(`${plan.serial}:${plan.secret}`).toString('base64')}`
  const head = () => ({ id: randomUUID(), at: clockOf(Date.now()), epoch: plan.epoch })
  async function post(kind: UpKind, body: object) {
    const answer = await fetch(`${url}/device/v1/${encodeURIComponent(plan.serial)}/${kind}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${plan.serial} ${kind}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  for (const together of Map.groupBy(items, ({ at }) => Math.floor(at / gatheredMs)).values())
    for (const [kind, own] of Map.groupBy(together, (item) => item.kind)) {
      for (const item of own)
        if (item.kind === 'audit') {
          const { seq, origin, bytes } = item
          const data = Buffer.from(bytes).toString('base64')
          await post('audit', { ...head(), at: clockOf(item.at), seq, origin, port: 'mqtt', data })
        }
      const others = own.filter((item) => item.kind !== 'audit').map((item) => itemOf(item, clockOf))
      for (let first = 0; first < others.length; first += mostItems)
        await post(kind, { ...head(), items: others.slice(first, first + mostItems) })
    }
}
