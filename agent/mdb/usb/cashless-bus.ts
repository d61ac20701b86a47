import { type MdbVend, minorUnits, type PaidBy } from '../vend.ts'
import type { SniffedBlock } from './sniffed-line.ts'

/*
 * Sales between a machine and its cashless readers (MDB/ICP 4.2, chapter 7), heard on the bus. A machine asks the reader for each cashless vend,
 * and reports cash vends to a reader that supports CASH SALE.
 */

/** Addresses of the two cashless readers. */
const readers: Readonly<Record<number, Exclude<PaidBy, 'cash'>>> = { 0x10: 'cashless1', 0x60: 'cashless2' }

const commands = { reset: 0, setup: 1, poll: 2, vend: 3 } as const
const vends = { request: 0, cancel: 1, success: 2, failure: 3, complete: 4, cashSale: 5 } as const
const answers = { config: 1, approved: 5, denied: 6 } as const

/** A machine repeats a block whose acknowledgement it has missed for at most so long; a vend takes longer. Steps of 0.1 ms. */
const repeatedFor = 20_000
/** The adapter's time has ten digits. */
const ticks = 1e10
const undefinedItem = 0xffff

const number = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

interface OpenVend {
  amount: number
  item: number | null
  isApproved: boolean
  /** Amounts have four bytes instead of two: the expanded mode of level 3. */
  isLong: boolean
}

interface Reader {
  paidBy: Exclude<PaidBy, 'cash'>
  unit: { scale: number; decimals: number } | null
  vend: OpenVend | null
  /** The last end of a vend or cash sale, by which its repetition is known. */
  last: { block: string; tick: number } | null
}

/** What a reader takes from its medium may differ from the price: a discount or a surcharge. Readers that do not say it send 0 or all ones. */
function approved(vend: OpenVend, data: Uint8Array): OpenVend {
  const bytes = vend.isLong ? 4 : 2
  const taken = data.length > bytes ? number(data.subarray(1, 1 + bytes)) : 0
  const isSaid = taken > 0 && taken < 256 ** bytes - 1
  return { ...vend, isApproved: true, amount: isSaid ? taken : vend.amount }
}

export interface CashlessBus {
  /** The vends that a block ends. */
  follow(block: SniffedBlock): MdbVend[]
}

const itemOf = (bytes: Uint8Array) => (number(bytes) === undefinedItem ? null : number(bytes))

/** `unit`: of amounts until a reader says its own in its set-up. `digits`: decimals of the currency. */
export function openCashlessBus(unit: { scale: number; decimals: number }, digits: number): CashlessBus {
  const known = new Map<number, Reader>()
  /** The block of the machine that a device may answer. */
  let asked: { reader: Reader; command: number } | null = null

  function readerAt(address: number): Reader | null {
    const paidBy = readers[address]
    if (!paidBy) return null
    const reader = known.get(address) ?? { paidBy, unit: null, vend: null, last: null }
    known.set(address, reader)
    return reader
  }

  const priced = (reader: Reader, amount: number) => minorUnits(amount, reader.unit ?? unit, digits)
  const sold = (reader: Reader, { amount, item }: OpenVend, isFailed = false): MdbVend => ({
    paidBy: reader.paidBy,
    item,
    price: priced(reader, amount),
    isFailed,
  })

  /** Whether the machine has sent this block a moment ago, and missed the answer. */
  function isRepeated(reader: Reader, { data, tick }: SniffedBlock): boolean {
    const block = Buffer.from(data).toString('hex')
    const { last } = reader
    const isSame = last?.block === block && (tick - last.tick + ticks) % ticks <= repeatedFor
    if (!isSame) reader.last = { block, tick }
    return isSame
  }

  function endVend(reader: Reader, block: SniffedBlock, isFailed: boolean): MdbVend[] {
    const { vend } = reader
    const item = block.data.length >= 3 ? itemOf(block.data.subarray(1, 3)) : null
    if (isRepeated(reader, block) && !vend) return []
    // What is left of a line that was cut; each end of a vend has its item.
    if (!vend && block.data.length < 3) return []
    reader.vend = null
    if (vend) return [sold(reader, { ...vend, item: item ?? vend.item }, isFailed)]
    // Its request was missed: the program has just started.
    return isFailed ? [] : [{ paidBy: reader.paidBy, item, price: null, isFailed }]
  }

  function vend(reader: Reader, block: SniffedBlock): MdbVend[] {
    const { data } = block
    // Amounts have two bytes, or four in the expanded mode of level 3; a cash sale then has a currency as well.
    const amountEnd = data.length >= 7 ? 5 : 3
    const isWhole = data.length >= 5 && data.length !== 6
    switch (data[0]) {
      case vends.request:
        if (isWhole)
          reader.vend = {
            amount: number(data.subarray(1, amountEnd)),
            item: itemOf(data.subarray(amountEnd, amountEnd + 2)),
            isApproved: false,
            isLong: amountEnd === 5,
          }
        return []
      case vends.cancel:
        reader.vend = null
        return []
      case vends.success:
        return endVend(reader, block, false)
      case vends.failure:
        return endVend(reader, block, true)
      case vends.cashSale: {
        if (!isWhole || isRepeated(reader, block)) return []
        const price = priced(reader, number(data.subarray(1, amountEnd)))
        return [{ paidBy: 'cash', item: itemOf(data.subarray(amountEnd, amountEnd + 2)), price, isFailed: false }]
      }
      default:
        return []
    }
  }

  function ofMachine(block: SniffedBlock): MdbVend[] {
    if (block.command === null) return []
    const reader = readerAt(block.command & 0xf8)
    if (!reader) {
      asked = null
      return []
    }
    const command = block.command & 0x07
    asked = { reader, command }
    if (command === commands.vend) return vend(reader, block)
    if (command !== commands.reset) return []
    const open = reader.vend
    reader.vend = null
    // MDB/ICP 7.4.7: a reset between approval and success is a success.
    return open?.isApproved ? [sold(reader, open)] : []
  }

  function ofReader({ data }: SniffedBlock): void {
    if (!asked || data.length === 0) return
    const { reader, command } = asked
    const isPolled = command === commands.poll
    const [answer, , , , scale, decimals] = data
    if (answer === answers.config && data.length === 8 && (isPolled || command === commands.setup)) {
      if (scale && decimals !== undefined && decimals <= 4) reader.unit = { scale, decimals }
    } else if (isPolled || command === commands.vend) {
      if (answer === answers.denied) reader.vend = null
      if (answer === answers.approved && reader.vend) reader.vend = approved(reader.vend, data)
    }
  }

  return {
    follow(block) {
      if (block.isMachine) return ofMachine(block)
      ofReader(block)
      return []
    },
  }
}
