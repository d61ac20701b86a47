import {
  type AlarmCriticity,
  alarmCriticities,
  isAlarmOf,
  type PortalAlarm,
  portalAlarmCodes,
  portalAlarms,
} from '#contract/vocabulary/alarm.ts'
import type { StockStanding } from '../stock/stock.ts'

/** The facts about a machine for the portal's own alarms. Null: never reported. */
export interface MachineFacts {
  hidden: boolean
  createdAt: Date
  lastSeenAt: Date | null
  lastAuditAt: Date | null
  networkType: string | null
  /** Percent. */
  signalPercent: number | null
  /** How far the clock is behind; negative when ahead. */
  driftSeconds: number | null
  /** Minor units. */
  cashInBox: number | null
  cashBoxCapacity: number | null
  temperatureCelsius: number | null
  /** Selections and ingredients that are out or low, by the machine's open alarms or by its levels: each of them once. */
  shortages: number
  /** Its stock status by reported levels, without selections that its own alarms cover. */
  stock: StockStanding
}

/** A merchant's limits. Null: the rule is off. */
export interface RuleLimits {
  noDataMinutes: number
  minimumSignalPercent: number
  auditExceededHours: number
  cashBoxFullPercent: number
  clockDriftMinutes: number
  lowStockSelections: number
  temperatureMinimum: number | null
  temperatureMaximum: number | null
  /** The merchant's; a rule of another feature is off. */
  features: readonly string[]
}

/**
 * `beyond` the limit; `clear` of it by a margin; `between` is neither, so that a value that flaps around the limit raises
 * one alarm.
 */
export type Standing = 'beyond' | 'between' | 'clear'

/** A machine's state under a rule, with the numbers in language-neutral form. */
export interface Finding {
  standing: Standing
  detail: string
  /** The current severity, if it varies. The open alarm is updated with it. */
  criticity?: AlarmCriticity
  /** Set when reported levels are the only reason. */
  isByLevels?: boolean
}

/** The margin by which a value must return before the alarm ends. */
export const margins = { signalPercent: 5, celsius: 1, cashBoxPercent: 10, clockShare: 0.5, stockShare: 0.5 }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const standing = (isBeyond: boolean, isClear: boolean): Standing =>
  isBeyond ? 'beyond' : isClear ? 'clear' : 'between'

interface Now {
  at: Date
  /** The time since when a gateway has been receiving; null without a gateway. */
  listeningSince: Date | null
}

/** Null: unknown, so the previous state stays. */
type Rule = (facts: MachineFacts, limits: RuleLimits, now: Now) => Finding | null

const rules: Record<PortalAlarm, Rule> = {
  noData({ hidden, lastSeenAt, createdAt }, { noDataMinutes }, { at, listeningSince }) {
    const minutesSince = (since: Date) => (at.getTime() - since.getTime()) / minuteMs
    const silence = minutesSince(lastSeenAt ?? createdAt)
    const detail = `${Math.floor(silence)} min ≥ ${noDataMinutes} min`
    if (silence <= noDataMinutes) return { standing: 'clear', detail }
    // Without a listening gateway, silence proves nothing.
    const isHeardNothing = listeningSince !== null && minutesSince(listeningSince) > noDataMinutes
    return hidden || !isHeardNothing ? null : { standing: 'beyond', detail }
  },

  signalLow({ signalPercent, networkType }, { minimumSignalPercent }) {
    if (networkType === 'Ethernet') return { standing: 'clear', detail: '' }
    if (signalPercent === null) return null
    return {
      standing: standing(
        signalPercent < minimumSignalPercent,
        signalPercent >= Math.min(100, minimumSignalPercent + margins.signalPercent),
      ),
      detail: `${signalPercent} % < ${minimumSignalPercent} %`,
    }
  },

  auditOverdue({ hidden, lastAuditAt, createdAt }, { auditExceededHours }, { at }) {
    const hours = (at.getTime() - (lastAuditAt ?? createdAt).getTime()) / hourMs
    const detail = `${Math.floor(hours)} h ≥ ${auditExceededHours} h`
    if (hours <= auditExceededHours) return { standing: 'clear', detail }
    return hidden ? null : { standing: 'beyond', detail }
  },

  temperatureHigh({ temperatureCelsius }, { temperatureMaximum }) {
    if (temperatureCelsius === null) return null
    if (temperatureMaximum === null) return { standing: 'clear', detail: '' }
    return {
      standing: standing(
        temperatureCelsius > temperatureMaximum,
        temperatureCelsius <= temperatureMaximum - margins.celsius,
      ),
      detail: `${temperatureCelsius} °C > ${temperatureMaximum} °C`,
    }
  },

  temperatureLow({ temperatureCelsius }, { temperatureMinimum }) {
    if (temperatureCelsius === null) return null
    if (temperatureMinimum === null) return { standing: 'clear', detail: '' }
    return {
      standing: standing(
        temperatureCelsius < temperatureMinimum,
        temperatureCelsius >= temperatureMinimum + margins.celsius,
      ),
      detail: `${temperatureCelsius} °C < ${temperatureMinimum} °C`,
    }
  },

  cashBoxFull({ cashInBox, cashBoxCapacity }, { cashBoxFullPercent }) {
    if (cashInBox === null || cashBoxCapacity === null || cashBoxCapacity <= 0) return null
    const percent = (cashInBox / cashBoxCapacity) * 100
    return {
      standing: standing(percent >= cashBoxFullPercent, percent < cashBoxFullPercent - margins.cashBoxPercent),
      detail: `${Math.floor(percent)} % ≥ ${cashBoxFullPercent} %`,
    }
  },

  clockWrong({ driftSeconds }, { clockDriftMinutes }) {
    if (driftSeconds === null) return null
    const off = Math.abs(driftSeconds)
    const limit = clockDriftMinutes * 60
    return {
      standing: standing(off > limit, off <= limit * margins.clockShare),
      detail: `${driftSeconds > 0 ? '−' : '+'}${Math.round(off / 60)} min ≥ ${clockDriftMinutes} min`,
    }
  },

  /*
   * A level at or below its warning level is a notification; a sold-out selection is an active alarm, and so are several shortages, whether
   * from levels or from the machine's own alarms. A selection with its own alarm raises no second one.
   */
  stockLow({ shortages, stock }, { lowStockSelections }) {
    const { out, low, isNear } = stock
    const isMany = shortages >= lowStockSelections
    const isOut = out.length > 0
    const isFew = shortages <= lowStockSelections * margins.stockShare
    const reasons = [
      isMany || !(isOut || low.length > 0) ? `${shortages} ≥ ${lowStockSelections}` : '',
      isOut ? `∅ ${namesOf(out)}` : '',
      low.length > 0 ? `↓ ${namesOf(low)}` : '',
    ]
    return {
      standing: standing(isMany || isOut || low.length > 0, isFew && !isNear),
      detail: reasons.filter(Boolean).join(' · '),
      criticity: isMany || isOut ? alarmCriticities.warning : alarmCriticities.notification,
      isByLevels: !isMany,
    }
  },
}

/** Maximum number of selections to list; a mark shows that there are more. */
const named = 12
const namesOf = (selections: readonly string[]) =>
  selections.slice(0, named).join(', ') + (selections.length > named ? ' …' : '')

/** A machine's state under each rule that has enough facts. */
export function findingsOf(facts: MachineFacts, limits: RuleLimits, now: Now): Map<PortalAlarm, Finding> {
  const off: Finding = { standing: 'clear', detail: '' }
  const findings = portalAlarms.map((alarm) => {
    const isOn = isAlarmOf(portalAlarmCodes[alarm], limits.features)
    return [alarm, isOn ? rules[alarm](facts, limits, now) : off] as const
  })
  return new Map(findings.filter((each): each is [PortalAlarm, Finding] => each[1] !== null))
}

/** A condition that has started and not ended, even if its alarm is closed. */
export interface RuleState {
  isBeyond: boolean
}

/**
 * What a finding changes. `raise`: the condition begins, with an alarm. `again`: it goes beyond the limit once more before it has
 * ended; that joins the alarm. `ease`: it came back over the limit, not yet clear of it. `end`: it is over, and so is its alarm.
 */
export type RuleStep = 'raise' | 'again' | 'ease' | 'end' | 'none'

/**
 * One condition is one alarm: after a manual repair it is not raised again until the condition has ended once.
 * An open alarm without a condition (its repair was undone) ends as soon as all is clear.
 */
export function stepOf(state: RuleState | null, isOpen: boolean, now: Standing): RuleStep {
  if (now === 'clear') return state !== null || isOpen ? 'end' : 'none'
  if (state === null) return now === 'beyond' ? 'raise' : 'none'
  if (now === 'beyond') return state.isBeyond ? 'none' : 'again'
  return state.isBeyond ? 'ease' : 'none'
}

/** Whether an open alarm's details need an update, because its condition has changed. */
export const hasMoved = ({ standing, criticity, detail }: Finding, lastDetail: string | null): boolean =>
  standing === 'beyond' && criticity !== undefined && detail !== lastDetail
