import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MdbVend } from '../vend.ts'

/*
 * What a board of VMflow publishes (firmware of July 2026): `domain.vmflow.xyz/<board>/sale` with `<price>:<item>:<seconds>:<signature>` for a CASH SALE of the
 * machine, its price in hundredths, and `…/vend_fail` with `<price>,<item>:<seconds>:<signature>`. The signature is HMAC-SHA-256 of all before it.
 */

export interface VmflowVend {
  vend: MdbVend
  /** The board's clock, in milliseconds since 1970; null if it was not set. */
  at: number | null
}

/** A board starts in 1970 until it knows the time. */
const firstTime = Date.UTC(2020, 0, 1)
const sale = /^(\d{1,10}):(\d{1,5})$/
const failure = /^(\d{1,10}),(\d{1,5})$/
const undefinedItem = 0xffff

export const vmflowTopics = (board: string) => [
  `domain.vmflow.xyz/${board}/sale`,
  `domain.vmflow.xyz/${board}/vend_fail`,
]

/** Reads a message; a text says why it is none of the board's. `digits`: decimals of the currency. */
export function readVmflow(
  { topic, payload }: { topic: string; payload: Uint8Array },
  { board, passkey, digits }: { board: string; passkey: string; digits: number },
): VmflowVend | string {
  const [sales, failures] = vmflowTopics(board)
  if (topic !== sales && topic !== failures) return 'another topic'
  const line = Buffer.from(payload).toString('latin1')
  const [, said = '', fields = '', seconds = '', signature = ''] =
    /^((.{1,40}):(\d{1,12})):([\da-f]{64})$/.exec(line) ?? []
  if (said === '') return 'no message of a board'
  const own = createHmac('sha256', passkey).update(said).digest()
  if (!timingSafeEqual(own, Buffer.from(signature, 'hex'))) return 'the signature is of another passkey'
  const isFailed = topic === failures
  const [, price, number] = (isFailed ? failure : sale).exec(fields) ?? []
  if (price === undefined) return 'no vend'
  const at = Number(seconds) * 1000
  const item = Number(number) === undefinedItem ? null : Number(number)
  const hundredths = Number(price) * 10 ** digits
  const isExpressible = hundredths % 100 === 0
  return {
    at: at >= firstTime ? at : null,
    // A failed vend has its price in the bus's own unit, which is not said; its value is 0 anyway.
    vend: {
      paidBy: isFailed ? 'cashless1' : 'cash',
      item,
      price: isFailed || !isExpressible ? null : hundredths / 100,
      isFailed,
    },
  }
}
