import { sql } from 'kysely'

/** What a machine is: the KPIs of a merchant are kept by it. */
export const kinds = ['device_type', 'firmware_version', 'coin_validator', 'bill_validator'] as const
export type Kind = Record<(typeof kinds)[number], string>

export const figureNames = [
  ...(['seconds', 'blocked_seconds', 'absent_seconds', 'cycles', 'faults', 'blocking_alarms'] as const),
  ...(['coins_accepted', 'coins_rejected', 'bills_accepted', 'bills_rejected'] as const),
] as const
export type KpiFigures = Record<(typeof figureNames)[number], number>

/** Columns of sums: `denominations`, `accepted` and `rejected` have the pieces by denomination. */
export const kpiColumns = [...kinds, ...figureNames, 'denominations', 'accepted', 'rejected'] as const
export type KpiRow = Kind & KpiFigures & Record<'denominations' | 'accepted' | 'rejected', number[]>
export type MachineKpiRow = KpiRow & { machine_id: string }

export const columnList = (columns: readonly string[], alias?: string) =>
  sql.join(columns.map((name) => sql.ref(alias === undefined ? name : `${alias}.${name}`)))

export const valuesOf = (row: KpiRow): unknown[] => kpiColumns.map((name) => row[name])

/** Rows as the database returns them: its lists of numbers are texts. */
export const asKpiRow = <Row extends KpiRow>(row: Row): Row => ({
  ...row,
  denominations: row.denominations.map(Number),
  accepted: row.accepted.map(Number),
  rejected: row.rejected.map(Number),
})

type Pieces = Map<number, { accepted: number; rejected: number }>

/** Sums of one kind of machine, to which rows are added. */
export class KpiSums {
  readonly figures = Object.fromEntries(figureNames.map((name) => [name, 0])) as KpiFigures
  readonly pieces: Pieces = new Map()

  add(row: KpiRow, sign: 1 | -1 = 1): void {
    for (const name of figureNames) this.figures[name] += sign * row[name]
    for (const [index, denomination] of row.denominations.entries())
      this.take(denomination, sign * (row.accepted[index] ?? 0), sign * (row.rejected[index] ?? 0))
  }

  take(denomination: number, accepted: number, rejected: number): void {
    const counted = this.pieces.get(denomination) ?? { accepted: 0, rejected: 0 }
    this.pieces.set(denomination, { accepted: counted.accepted + accepted, rejected: counted.rejected + rejected })
  }

  isEmpty(): boolean {
    return figureNames.every((name) => this.figures[name] === 0)
  }

  row(kind: Kind): KpiRow {
    const pieces = [...this.pieces]
      .filter(([, { accepted, rejected }]) => accepted !== 0 || rejected !== 0)
      .sort(([one], [other]) => one - other)
    return {
      ...(Object.fromEntries(kinds.map((name) => [name, kind[name]])) as Kind),
      ...this.figures,
      denominations: pieces.map(([value]) => value),
      accepted: pieces.map(([, { accepted }]) => accepted),
      rejected: pieces.map(([, { rejected }]) => rejected),
    }
  }
}
