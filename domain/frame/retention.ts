/** Default months for which the raw rows of each table are stored. Their sums are kept forever. */
export const retentionDefaults = {
  transactions: 120,
  events: 24,
  audits: 60,
  cash_readings: 24,
  readings: 24,
  sensor_readings: 24,
  stock_movements: 120,
  configurations: 60,
  unknown_fields: 24,
} as const

export type RetentionTable = keyof typeof retentionDefaults
export type Retention = Readonly<Record<RetentionTable, number>>

/** Machines may send items up to 90 days old, and a dead letter up to 30 days old may be replayed. */
export const retentionMinimum = 5
export const retentionMaximum = 1200

/** Reads `transactions=84,events=12`. Tables that are not named keep their default. Undefined for an invalid text. */
export function readRetention(text: string): Retention | undefined {
  const retention: Record<string, number> = { ...retentionDefaults }
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, table = '', months = ''] = /^\s*(\w+)\s*=\s*(\d{1,4})\s*$/.exec(part) ?? []
    const isKept = Number(months) >= retentionMinimum && Number(months) <= retentionMaximum
    if (!Object.hasOwn(retentionDefaults, table) || !isKept) return undefined
    retention[table] = Number(months)
  }
  return retention as Retention
}
