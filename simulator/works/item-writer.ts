import type { CashItem, CreditItem, ReadingItem, ResultItem, SaleItem } from '#contract/device-protocol.ts'
import type { MachineMemory, VpState } from '../memory.ts'
import type { Level, Price } from '../stock-report.ts'

type Numbered<T> = Omit<T, 'seq' | 'at'>
export type Sale = Partial<Numbered<SaleItem>> & Pick<SaleItem, 'type' | 'mediaType' | 'mediaSource' | 'value'>
type Said<A extends CreditItem['action']> = Numbered<Extract<CreditItem, { action: A }>>
export type CreditEvent = Said<'release'> | Said<'collected'> | Said<'recharge'> | Said<'key'>
export type CashReport = Numbered<CashItem>

/** An item of a machine, numbered in order; `at` is true time, not the machine's clock. */
export type MachineItem = { seq: number; at: number } & (
  | { kind: 'sale'; sale: Sale }
  | { kind: 'event'; code: string; active: boolean }
  | { kind: 'cash'; cash: CashReport }
  | { kind: 'reading'; reading: Numbered<ReadingItem> }
  | { kind: 'audit'; origin: number; bytes: Uint8Array }
  | { kind: 'config'; origin: number; parameters: Record<string, string> }
  | { kind: 'vpConfig'; origin: number; vp: VpState }
  | { kind: 'stock'; levels: Level[]; refills?: string[] }
  | { kind: 'prices'; prices: Price[] }
  | { kind: 'credit'; credit: CreditEvent }
  | ({ kind: 'result'; commandId: string } & Pick<ResultItem, 'outcome' | 'info'>)
)

/** Adds items to a journal or history, numbered by the machine's memory. */
export type ItemWriter = ReturnType<typeof openItems>

/** Numbers a machine's items and counts its events. */
export function openItems(memory: MachineMemory, write: (machineItem: MachineItem) => void) {
  const number = () => ++memory.seq
  return {
    write,
    number,
    /** Returns the sale's number. */
    sale(at: number, what: Sale): number {
      const seq = number()
      write({ kind: 'sale', seq, at, sale: what })
      return seq
    },
    event(at: number, code: string, active = true): void {
      if (active) memory.eventCounts[code] = (memory.eventCounts[code] ?? 0) + 1
      write({ kind: 'event', seq: number(), at, code, active })
    },
  }
}
