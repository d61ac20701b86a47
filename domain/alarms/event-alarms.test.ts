import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AlarmAfter, type AlarmEvent, alarmsAfter, ends, type KnownAlarm } from './event-alarms.ts'
import { flapMillis } from './flapping.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute))
const event = (code: string, minute: number, more: Partial<AlarmEvent> = {}): AlarmEvent => ({
  code,
  active: true,
  at: at(minute),
  message: null,
  detail: null,
  ...more,
})
const open = (code: string, minute: number): KnownAlarm => ({
  id: code,
  code,
  count: 1,
  createdAt: at(minute),
  lastAt: at(minute),
  repairedAt: null,
})
const ended = (code: string, minute: number, end: number): KnownAlarm => ({
  ...open(code, minute),
  repairedAt: at(end),
})
const after = (alarms: KnownAlarm[], events: AlarmEvent[], endedLater: () => Date | null = () => null) => {
  let id = 0
  return alarmsAfter(alarms, events, { newId: () => `new ${++id}`, endedLater })
}

test('an event opens an alarm with the meaning of its code', () => {
  expect(after([], [event('EAD', 1)])).toMatchObject([
    {
      isNew: true,
      code: 'EAD',
      source: 'coin',
      category: 'jam',
      criticity: 4,
      status: 'active',
      count: 1,
      createdAt: at(1),
    },
  ])
})

test('a repeated event joins the open alarm', () => {
  expect(after([open('EAD', 1)], [event('ead', 5), event('EAD', 3, { message: 'again' })])).toMatchObject([
    { id: 'EAD', isNew: false, count: 3, lastAt: at(5), repairedAt: null, message: 'again' },
  ])
})

test('an event that ends repairs its alarm; a fault that comes back later than half an hour is another alarm', () => {
  const later = 2 + flapMillis / 60_000
  expect(after([open('EAD', 1)], [event('EAD', 2, { active: false }), event('EAD', later + 1)])).toMatchObject([
    { id: 'EAD', status: 'repaired', repairedAt: at(2), count: 1 },
    { id: 'new 1', status: 'active', createdAt: at(later + 1) },
  ])
})

test('a fault that comes back sooner is the same alarm with one more time, and the time in between is kept', () => {
  const same = { id: 'EAD', isNew: false, status: 'active', repairedAt: null, count: 2, createdAt: at(1) }
  const pauses = [{ endedAt: at(2), raisedAt: at(30) }]
  expect(after([open('EAD', 1)], [event('EAD', 2, { active: false }), event('EAD', 30)])).toMatchObject([
    { ...same, isRaisedAgain: true, lastAt: at(30), pauses },
  ])
  expect(after([ended('EAD', 1, 2)], [event('EAD', 30)])).toMatchObject([{ ...same, isRaisedAgain: true, pauses }])
  // At the moment of its end, in the machine's own order.
  expect(after([ended('EAD', 1, 2)], [event('EAD', 2)])).toMatchObject([{ ...same, lastAt: at(2) }])
  // Of another code it is another alarm.
  expect(after([ended('EAD', 1, 2)], [event('EAE', 3)])).toMatchObject([{ isNew: true, count: 1 }])
})

test('an occurrence that arrives late counts, and leaves its alarm as it ended', () => {
  expect(after([ended('EAD', 10, 20)], [event('EAD', 15)], () => at(20))).toMatchObject([
    {
      id: 'EAD',
      count: 2,
      status: 'repaired',
      repairedAt: at(20),
      createdAt: at(10),
      isRaisedAgain: false,
      pauses: [],
    },
  ])
  expect(after([ended('EAD', 10, 20)], [event('EAD', 4)], () => at(5))).toMatchObject([
    { id: 'EAD', count: 2, status: 'repaired', repairedAt: at(20), createdAt: at(4) },
  ])
})

test('a code that clears another repairs its alarm and opens none', () => {
  expect(after([open('EGS', 1)], [event('EGT', 2)])).toMatchObject([{ id: 'EGS', status: 'repaired' }])
  expect(after([], [event('EGT', 2)])).toEqual([])
})

test('an end that is older than the last occurrence ends nothing', () => {
  expect(after([open('EAD', 5)], [event('EAD', 2, { active: false })])).toEqual([])
})

test('an event that arrives after its own end is stored as repaired', () => {
  expect(after([], [event('EAD', 1)], () => at(4))).toMatchObject([
    { isNew: true, status: 'repaired', repairedAt: at(4) },
  ])
})

test('a refill of one selection leaves the others sold out', () => {
  expect(ends({ code: 'OA1C_12', active: true }, 'ELB_12')).toBe(true)
  expect(ends({ code: 'OA1C_12', active: true }, 'ELB_13')).toBe(false)
  expect(ends({ code: 'OA1C', active: true }, 'ELB_13')).toBe(true)
})

test('a maker’s own code is kept unchanged: an error is a warning, all else a notification', () => {
  expect(after([], [event('EAQQ', 1), event('X_7', 1)])).toMatchObject([
    { code: 'EAQQ', source: 'coin', criticity: 2, status: 'active' },
    { code: 'X_7', source: 'other', criticity: 0, status: 'notification' },
  ])
})

/** Events of one fault with minutes between them: what comes up and goes. */
const course = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 45 }), fc.boolean()), { minLength: 1, maxLength: 40 })
  .map((steps) => {
    let minute = 0
    return steps.map(([wait, active]) => {
      minute += wait
      return event('EAD', minute, { active })
    })
  })
type Stored = KnownAlarm & Pick<AlarmAfter, 'pauses'>

/** Alarms as they are stored after events that arrive in batches. */
function storedAfter(
  batches: readonly (readonly AlarmEvent[])[],
  endedLater: (event: AlarmEvent) => Date | null,
): Stored[] {
  const stored = new Map<string, Stored>()
  let id = 0
  for (const events of batches)
    for (const alarm of alarmsAfter([...stored.values()], events, { newId: () => `${++id}`, endedLater })) {
      const pauses = [...(stored.get(alarm.id)?.pauses ?? []), ...alarm.pauses]
      const read = { ...alarm, isNew: false, isRaisedAgain: false, pauses }
      stored.set(alarm.id, read)
    }
  return [...stored.values()]
}

test('however events are parted into batches: each occurrence counts once, and two alarms of a fault are half an hour apart', () => {
  fc.assert(
    fc.property(course, fc.integer({ min: 1, max: 9 }), (events, size) => {
      const batches = Array.from({ length: Math.ceil(events.length / size) }, (_, n) =>
        events.slice(n * size, n * size + size),
      )
      const stored = storedAfter(batches, () => null)
      expect(stored).toEqual(storedAfter([events], () => null))
      expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(events.filter(({ active }) => active).length)
      stored.forEach(({ createdAt, pauses, repairedAt }, n) => {
        const before = stored[n - 1]
        if (before) expect(createdAt.getTime() - Number(before.repairedAt)).toBeGreaterThan(flapMillis)
        const times = [
          createdAt,
          ...pauses.flatMap(({ endedAt, raisedAt }) => [endedAt, raisedAt]),
          repairedAt ?? at(9_999),
        ]
        expect(times).toEqual(times.toSorted((one, other) => Number(one) - Number(other)))
        for (const { endedAt, raisedAt } of pauses)
          expect(raisedAt.getTime() - endedAt.getTime()).toBeLessThanOrEqual(flapMillis)
      })
    }),
  )
})

test('whatever arrives late: each occurrence counts once, and at most one alarm of a fault is open', () => {
  fc.assert(
    fc.property(course, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), (events, keys) => {
      const inArrival = events.map((one, seq) => ({ one, seq, key: keys[seq] ?? 0 })).toSorted((a, b) => a.key - b.key)
      const arrived: { one: AlarmEvent; seq: number }[] = []
      const seqOf = new Map(inArrival.map(({ one, seq }) => [one, seq]))
      const endedLater = (late: AlarmEvent) =>
        arrived
          .filter(({ one, seq }) => seq > (seqOf.get(late) ?? 0) && !one.active && one.at >= late.at)
          .toSorted((a, b) => a.seq - b.seq)[0]?.one.at ?? null
      const stored = new Map<string, KnownAlarm>()
      let id = 0
      for (const { one, seq } of inArrival) {
        for (const alarm of alarmsAfter([...stored.values()], [one], { newId: () => `${++id}`, endedLater }))
          stored.set(alarm.id, alarm)
        arrived.push({ one, seq })
        expect([...stored.values()].filter(({ repairedAt }) => repairedAt === null).length).toBeLessThanOrEqual(1)
      }
      const counted = [...stored.values()].reduce((sum, { count }) => sum + count, 0)
      expect(counted).toBe(events.filter(({ active }) => active).length)
    }),
  )
})
