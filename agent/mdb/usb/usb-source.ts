import type { NewItem } from '../../journal/items.ts'
import type { BytePort } from '../../ports/byte-port.ts'
import type { MdbParts, MdbSource } from '../mdb-parts.ts'
import type { MdbSettings, UsbSource } from '../mdb-settings.ts'
import { itemOf } from '../vend.ts'
import { openCashlessBus } from './cashless-bus.ts'
import { openLines } from './lines.ts'
import { readSniffed } from './sniffed-line.ts'

/** The event of an adapter that is gone, or of a bus on which nothing is heard. */
export const unheard = 'AGENT_MDB'

const times = { retry: 5000, check: 15_000, silent: 60_000 } as const
const listen = Buffer.from('X,1\r\n')

interface Parts extends Pick<MdbParts, 'report' | 'failed'> {
  open(): Promise<BytePort>
  now?: () => number
}

/** Listens to the bus through an adapter. It never sends on the bus. */
export function openUsbSource(
  { scale, decimals }: Pick<UsbSource, 'scale' | 'decimals'>,
  settings: Pick<MdbSettings, 'digits' | 'medium'>,
  { open, report, failed, now = Date.now }: Parts,
): MdbSource {
  const bus = openCashlessBus({ scale, decimals }, settings.digits)
  let port: BytePort | undefined
  let retry: NodeJS.Timeout | undefined
  let heardAt = now()
  let fault = ''
  let isClosed = false

  function send(...items: NewItem[]) {
    try {
      report(...items)
    } catch (error) {
      failed(error)
    }
  }

  function fail(detail: 'port' | 'silent', message: string) {
    if (fault === detail) return
    fault = detail
    send({ kind: 'event', at: now(), code: unheard, active: true, message: message.slice(0, 200), detail })
  }

  function hear(line: string) {
    const block = readSniffed(line)
    if (!block) return
    heardAt = now()
    if (fault !== '') send({ kind: 'event', at: heardAt, code: unheard, active: false })
    fault = ''
    const items = bus.follow(block).map((vend) => itemOf(vend, now(), settings))
    if (items.length > 0) send(...items)
  }

  async function connect() {
    try {
      const opened = await open()
      if (isClosed) return await opened.close()
      port = opened
      opened.listen(openLines(hear), (error) => lost(error))
      opened.write(listen)
    } catch (error) {
      lost(error)
    }
  }

  function lost(error: unknown) {
    port = undefined
    if (isClosed) return
    fail('port', error instanceof Error ? error.message : String(error))
    clearTimeout(retry)
    retry = setTimeout(() => void connect(), times.retry)
  }

  // A machine polls its readers all the time. An adapter that has restarted must be set to listen again.
  const check = setInterval(() => {
    if (!port || now() - heardAt < times.silent) return
    fail('silent', 'The adapter hears nothing on the bus')
    port.write(listen)
  }, times.check)
  void connect()

  return {
    async close() {
      isClosed = true
      clearInterval(check)
      clearTimeout(retry)
      await port?.close()
    },
  }
}
