/** Brings a machine's amounts to `digits` decimals and remembers whether any of them did not fit. */
export type Scale = { digits: number; machineDecimals: number; isExact: boolean; convert: (units: number) => number }

export function scaleOf(machineDecimals: number, digits: number): Scale {
  const factor = 10 ** Math.abs(digits - machineDecimals)
  const scale: Scale = {
    digits,
    machineDecimals,
    isExact: true,
    convert: (units) => {
      if (digits >= machineDecimals) return units * factor
      if (units % factor !== 0) scale.isExact = false
      return Math.round(units / factor)
    },
  }
  return scale
}
