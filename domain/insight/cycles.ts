/**
 * Mean cycles between failures: cycles ÷ blocking fault alarms in the interval, to whole cycles. Without a fault it is only known to be
 * more than the cycles, and is shown as "> cycles".
 */
export const mcbfOf = (cycles: number, faults: number): { cycles: number; isMore: boolean } =>
  faults === 0 ? { cycles, isMore: true } : { cycles: Math.round(cycles / faults), isMore: false }
