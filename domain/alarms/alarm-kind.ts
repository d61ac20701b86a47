import {
  type AlarmCategory,
  type AlarmCriticity,
  type AlarmSource,
  alarmCriticities,
  type PortalAlarm,
  portalAlarmCodes,
  portalAlarms,
} from '#contract/vocabulary/alarm.ts'
import type { MachineEventName } from '#contract/vocabulary/machines/machine-event.ts'
import { describeEvent } from '../audits/eva-dts/event-codes.ts'

const { notification, warning, blocking } = alarmCriticities

/**
 * Severity of the portal's own alarms. A silent machine may still sell, so it is not blocked: downtime counts
 * offline time apart. Products that became too warm must not be sold.
 */
export const portalAlarmKinds = {
  noData: { category: 'fault', criticity: warning },
  signalLow: { category: 'maintenance', criticity: notification },
  auditOverdue: { category: 'maintenance', criticity: warning },
  temperatureHigh: { category: 'fault', criticity: blocking },
  temperatureLow: { category: 'fault', criticity: warning },
  cashBoxFull: { category: 'maintenance', criticity: warning },
  clockWrong: { category: 'maintenance', criticity: notification },
  stockLow: { category: 'maintenance', criticity: warning },
} as const satisfies Record<PortalAlarm, { category: AlarmCategory; criticity: AlarmCriticity }>

export interface AlarmDescription {
  /** Null for a maker's own code. */
  name: MachineEventName | PortalAlarm | null
  /** The code without its suffix, in capitals. */
  stem: string
  /** The suffix, such as the selection. */
  detail: string | null
  source: AlarmSource
}

/** The meaning of an alarm's code: the portal's own, or a machine's event. */
export function describeAlarm(code: string): AlarmDescription {
  const name = portalAlarms.find((each) => portalAlarmCodes[each] === code)
  return name ? { name, stem: code, detail: null, source: 'portal' } : describeEvent(code)
}
