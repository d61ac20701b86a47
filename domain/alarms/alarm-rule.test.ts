import { describe, expect, test } from 'vitest'
import type { PortalAlarm } from '#contract/vocabulary/alarm.ts'
import {
  findingsOf,
  hasMoved,
  type MachineFacts,
  type RuleLimits,
  type RuleState,
  type RuleStep,
  stepOf,
} from './alarm-rule.ts'

const at = new Date('2026-11-21T12:00:00Z')
const before = (minutes: number) => new Date(at.getTime() - minutes * 60_000)
const longAgo = before(100_000)

const healthy: MachineFacts = {
  hidden: false,
  createdAt: longAgo,
  lastSeenAt: at,
  lastAuditAt: at,
  networkType: '4G',
  signalPercent: 80,
  driftSeconds: 0,
  cashInBox: 0,
  cashBoxCapacity: 1000,
  temperatureCelsius: 4,
  shortages: 0,
  stock: { out: [], low: [], isNear: false },
}
const limits: RuleLimits = {
  noDataMinutes: 60,
  minimumSignalPercent: 45,
  auditExceededHours: 48,
  cashBoxFullPercent: 90,
  clockDriftMinutes: 5,
  lowStockSelections: 3,
  temperatureMinimum: 0,
  temperatureMaximum: 8,
  features: ['network', 'productStock'],
}

const find = (
  alarm: PortalAlarm,
  facts: Partial<MachineFacts>,
  with_: { limits?: Partial<RuleLimits>; listeningSince?: Date | null } = {},
) => {
  const { listeningSince = longAgo } = with_
  return findingsOf({ ...healthy, ...facts }, { ...limits, ...with_.limits }, { at, listeningSince }).get(alarm)
}
const standingOf = (...call: Parameters<typeof find>) => find(...call)?.standing

test('a healthy machine is clear of every limit', () => {
  const findings = [...findingsOf(healthy, limits, { at, listeningSince: longAgo }).values()]
  expect(findings.map(({ standing }) => standing)).toEqual(Array(8).fill('clear'))
})

test('a rule of a feature that the merchant lacks is off', () => {
  const facts = { signalPercent: 1, stock: { out: ['11'], low: [], isNear: true } }
  for (const alarm of ['signalLow', 'stockLow'] as const) {
    expect(standingOf(alarm, facts)).toBe('beyond')
    expect(standingOf(alarm, facts, { limits: { features: [] } })).toBe('clear')
  }
})

test('a value that a machine does not report raises no alarm', () => {
  const nothing = { signalPercent: null, driftSeconds: null, cashInBox: null, temperatureCelsius: null }
  const findings = findingsOf({ ...healthy, ...nothing }, limits, { at, listeningSince: longAgo })
  expect([...findings.keys()]).toEqual(['noData', 'auditOverdue', 'stockLow'])
})

test('stock is low from three selections on, until half of them or fewer are left', () => {
  expect([2, 3, 9].map((shortages) => standingOf('stockLow', { shortages }))).toEqual(['between', 'beyond', 'beyond'])
  expect([1, 0].map((shortages) => standingOf('stockLow', { shortages }))).toEqual(['clear', 'clear'])
  expect(find('stockLow', { shortages: 4 })?.detail).toBe('4 ≥ 3')
  const alone = { limits: { lowStockSelections: 1 } }
  expect([1, 0].map((shortages) => standingOf('stockLow', { shortages }, alone))).toEqual(['beyond', 'clear'])
})

describe('stock by the levels that a machine reports', () => {
  const of = (stock: Partial<MachineFacts['stock']>, shortages = (stock.out?.length ?? 0) + (stock.low?.length ?? 0)) =>
    find('stockLow', { stock: { ...healthy.stock, ...stock }, shortages })

  test('one selection at its warning level is a notification; a sold-out selection is an active alarm', () => {
    expect(of({ low: ['12'] })).toEqual({ standing: 'beyond', detail: '↓ 12', criticity: 0, isByLevels: true })
    expect(of({ out: ['12'] })).toEqual({ standing: 'beyond', detail: '∅ 12', criticity: 2, isByLevels: true })
    expect(of({ out: ['9'], low: ['12'] })).toEqual({
      standing: 'beyond',
      detail: '∅ 9 · ↓ 12',
      criticity: 2,
      isByLevels: true,
    })
  })

  test('several low selections are an active alarm, whether levels or events report them', () => {
    expect(of({ low: ['1', '2', '3'] })).toEqual({
      standing: 'beyond',
      detail: '3 ≥ 3 · ↓ 1, 2, 3',
      criticity: 2,
      isByLevels: false,
    })
    expect(of({ low: ['1'] }, 3)).toEqual({
      standing: 'beyond',
      detail: '3 ≥ 3 · ↓ 1',
      criticity: 2,
      isByLevels: false,
    })
    expect(of({}, 3)).toEqual({ standing: 'beyond', detail: '3 ≥ 3', criticity: 2, isByLevels: false })
  })

  test('is not clear while some level is near its warning level', () => {
    expect(of({ isNear: true })?.standing).toBe('between')
    expect(of({})?.standing).toBe('clear')
  })

  test('lists only as many selections as fit', () => {
    const many = Array.from({ length: 40 }, (_, index) => String(index))
    expect(of({ low: many })?.detail).toBe(`40 ≥ 3 · ↓ ${many.slice(0, 12).join(', ')} …`)
  })

  test('an open alarm’s details follow its condition', () => {
    const finding = of({ out: ['12'] })
    expect([finding && hasMoved(finding, '↓ 12'), finding && hasMoved(finding, '∅ 12')]).toEqual([true, false])
    const between = of({ isNear: true })
    expect(between && hasMoved(between, '↓ 12')).toBe(false)
    // What is always as grave keeps the word that it began with.
    const signal = find('signalLow', { signalPercent: 20 })
    expect(signal && hasMoved(signal, '44 % < 45 %')).toBe(false)
  })
})

describe('no data', () => {
  test('sixty minutes of silence are allowed, one more is not', () => {
    expect(standingOf('noData', { lastSeenAt: before(60) })).toBe('clear')
    expect(find('noData', { lastSeenAt: before(61) })).toEqual({ standing: 'beyond', detail: '61 min ≥ 60 min' })
  })

  test('a machine that never sent anything is silent since it was attached', () => {
    expect(standingOf('noData', { lastSeenAt: null, createdAt: before(30) })).toBe('clear')
    expect(standingOf('noData', { lastSeenAt: null, createdAt: before(90) })).toBe('beyond')
  })

  test('a machine is not silent until a gateway has listened long enough', () => {
    const silent = { lastSeenAt: before(500) }
    expect(find('noData', silent, { listeningSince: null })).toBeUndefined()
    expect(find('noData', silent, { listeningSince: before(60) })).toBeUndefined()
    expect(standingOf('noData', silent, { listeningSince: before(61) })).toBe('beyond')
  })

  test('a hidden machine raises no offline alarm; a silent machine that sends again is clear', () => {
    expect(find('noData', { lastSeenAt: before(500), hidden: true })).toBeUndefined()
    expect(standingOf('noData', { hidden: true })).toBe('clear')
  })
})

describe('signal', () => {
  test('is too low below the minimum, and right again five points above it', () => {
    const signals = [44, 45, 49, 50].map((signalPercent) => standingOf('signalLow', { signalPercent }))
    expect(signals).toEqual(['beyond', 'between', 'between', 'clear'])
  })

  test('can be clear again whatever the minimum', () => {
    const high = { limits: { minimumSignalPercent: 99 } }
    expect(standingOf('signalLow', { signalPercent: 100 }, high)).toBe('clear')
  })

  test('is not checked for a machine on a cable', () => {
    expect(standingOf('signalLow', { signalPercent: 3, networkType: 'Ethernet' })).toBe('clear')
  })
})

describe('audit', () => {
  test('is overdue after more than 48 hours', () => {
    expect(standingOf('auditOverdue', { lastAuditAt: before(48 * 60) })).toBe('clear')
    expect(find('auditOverdue', { lastAuditAt: before(48 * 60 + 1) })).toEqual({
      standing: 'beyond',
      detail: '48 h ≥ 48 h',
    })
  })

  test('a machine that was never read is overdue as long after it was attached', () => {
    expect(standingOf('auditOverdue', { lastAuditAt: null, createdAt: before(60) })).toBe('clear')
    expect(standingOf('auditOverdue', { lastAuditAt: null })).toBe('beyond')
  })
})

describe('temperature', () => {
  test('is too high above the limit, and right again one degree below it', () => {
    const high = [8, 8.1, 7.1, 7].map((celsius) => standingOf('temperatureHigh', { temperatureCelsius: celsius }))
    expect(high).toEqual(['between', 'beyond', 'between', 'clear'])
  })

  test('is too low below the limit, and right again one degree above it', () => {
    const low = [0, -0.1, 0.9, 1].map((celsius) => standingOf('temperatureLow', { temperatureCelsius: celsius }))
    expect(low).toEqual(['between', 'beyond', 'between', 'clear'])
  })

  test('removing a limit ends its alarm', () => {
    const off = { limits: { temperatureMaximum: null, temperatureMinimum: null } }
    expect(standingOf('temperatureHigh', { temperatureCelsius: 80 }, off)).toBe('clear')
    expect(standingOf('temperatureLow', { temperatureCelsius: -40 }, off)).toBe('clear')
  })
})

describe('cash box', () => {
  test('is full from 90 % on, and empty enough below 80 %', () => {
    const boxes = [899, 900, 1200, 800, 799].map((cashInBox) => standingOf('cashBoxFull', { cashInBox }))
    expect(boxes).toEqual(['between', 'beyond', 'beyond', 'between', 'clear'])
  })

  test('of no size is never full', () => {
    expect(find('cashBoxFull', { cashInBox: 5, cashBoxCapacity: 0 })).toBeUndefined()
    expect(find('cashBoxFull', { cashInBox: 5, cashBoxCapacity: null })).toBeUndefined()
  })
})

describe('clock', () => {
  test('is wrong by more than five minutes, ahead or behind, and right again within half of it', () => {
    const drifts = [300, 301, -301, 151, 150, -150].map((driftSeconds) => standingOf('clockWrong', { driftSeconds }))
    expect(drifts).toEqual(['between', 'beyond', 'beyond', 'between', 'clear', 'clear'])
  })

  test('shows whether the clock is ahead or behind', () => {
    expect(find('clockWrong', { driftSeconds: 3600 })?.detail).toBe('−60 min ≥ 5 min')
    expect(find('clockWrong', { driftSeconds: -3600 })?.detail).toBe('+60 min ≥ 5 min')
  })
})

/** Runs a series of values through a rule; returns the steps, with the state stored as in the database. */
function stepsOf(signals: number[], repairedAt = -1): RuleStep[] {
  let state: RuleState | null = null
  let isOpen = false
  return signals.map((signalPercent, index) => {
    if (index === repairedAt) isOpen = false
    const step = stepOf(state, isOpen, standingOf('signalLow', { signalPercent }) ?? 'between')
    if (step === 'raise') isOpen = true
    if (step === 'end') [state, isOpen] = [null, false]
    else if (step !== 'none') state = { isBeyond: step !== 'ease' }
    return step
  })
}

describe('one condition is one alarm', () => {
  test('a value that flaps around the limit raises one alarm, and repetitions add to it', () => {
    expect(stepsOf([44, 46, 44, 46, 44])).toEqual(['raise', 'ease', 'again', 'ease', 'again'])
  })

  test('a value that stays beyond the limit raises nothing more', () => {
    expect(stepsOf([44, 43, 20, 44])).toEqual(['raise', 'none', 'none', 'none'])
  })

  test('it ends once it is clear, and may begin again', () => {
    expect(stepsOf([44, 49, 50, 60, 44])).toEqual(['raise', 'ease', 'end', 'none', 'raise'])
  })

  test('a value that was never beyond the limit raises nothing', () => {
    expect(stepsOf([46, 49, 46])).toEqual(['none', 'none', 'none'])
  })

  test('after a manual repair it is not raised again until its condition has ended once', () => {
    expect(stepsOf([44, 43, 44, 50, 44], 1)).toEqual(['raise', 'none', 'none', 'end', 'raise'])
  })

  test('an alarm whose repair was undone after the condition had ended ends with the next clear value', () => {
    expect(stepOf(null, true, 'clear')).toBe('end')
    expect(stepOf(null, true, 'between')).toBe('none')
  })
})
