import {
  type AlarmCategory,
  type AlarmCriticity,
  type AlarmSource,
  portalAlarmCodes,
  portalAlarms,
} from '#contract/vocabulary/alarm.ts'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import { clearedByEvent, eventCodes } from '../audits/eva-dts/event-codes.ts'
import { describeAlarm, portalAlarmKinds } from './alarm-kind.ts'
import { alarmKindOf } from './event-alarms.ts'

export interface AlarmKind {
  /** Without a selection, in capitals. */
  code: string
  source: AlarmSource
  category: AlarmCategory
  criticity: AlarmCriticity
}

/** The origin of an alarm's code: the portal, the standard, or a maker. */
export function kindOf(code: string): AlarmKind {
  const { stem, source } = describeAlarm(code)
  const portalAlarm = portalAlarms.find((each) => portalAlarmCodes[each] === code)
  const { category, criticity } = portalAlarm ? portalAlarmKinds[portalAlarm] : alarmKindOf(code)
  return { code: stem, source, category, criticity }
}

/** The codes that can raise an alarm; codes that only clear another cannot. */
export const masterAlarms: readonly AlarmKind[] = [
  ...Object.keys(eventCodes).filter((code) => clearedByEvent(code).length === 0),
  ...Object.values(portalAlarmCodes),
].map(kindOf)

/**
 * The codes whose text speaks of an alarm, the best first: its own, then those by which other makers report the same of the same
 * part of the machine.
 */
export function codesOfGuide(code: string): string[] {
  const { name, stem, source } = describeAlarm(code)
  const same = masterAlarms.filter((each) => {
    const other = describeAlarm(each.code)
    return name !== null && other.name === name && other.source === source
  })
  return [...new Set([stem, ...same.map((each) => each.code)])]
}

/** Fallbacks for a missing language: English, the deployment's own, then any other. */
export const languagesFor = (requested: Language, deployment: Language | undefined): Language[] => [
  ...new Set([requested, 'en' as const, ...(deployment ? [deployment] : []), ...languages]),
]
