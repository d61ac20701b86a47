import { type DeviceType, deviceTypeNames } from '#contract/vocabulary/device.ts'

/** The trade name of a device type; an unknown type is shown by its code. */
export const typeNameOf = (type: string): string => deviceTypeNames[type as DeviceType] ?? type

/** The fill level of a cash box; undefined if its content or capacity is unknown. */
export function cashPercentOf(machine: { cashInBox: number | null; cashBoxCapacity: number | null }) {
  const { cashInBox, cashBoxCapacity } = machine
  if (cashInBox === null || !cashBoxCapacity) return undefined
  return Math.max(0, Math.round((cashInBox / cashBoxCapacity) * 100))
}
