import type { LineSession, LineStep, TransferOutcome } from '../line/session.ts'
import type { BytePort } from './byte-port.ts'

/** The port is gone: unplugged, or taken by another program. */
export class PortLostError extends Error {}

/** Runs a protocol on a port until it ends. Throws PortLostError, or the reason of `signal`. */
export function runSession<T>(
  port: BytePort,
  session: LineSession<T>,
  signal?: AbortSignal,
): Promise<TransferOutcome<T>> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    /** Acts are done one after another: a change of speed takes its time. */
    let done = Promise.resolve()
    const now = () => performance.now()

    function end(what: () => void) {
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      what()
    }
    const fail = (error: unknown) => {
      if (!isOver) end(() => reject(error))
    }
    const abort = () => fail(signal?.reason)

    function follow({ acts, wakeAt, outcome }: LineStep<T>) {
      for (const act of acts) {
        done = done.then(() => (act.kind === 'rate' ? port.setRate(act.baud) : port.write(act.bytes)))
      }
      clearTimeout(timer)
      if (outcome) done.then(() => end(() => resolve(outcome)), fail)
      else if (wakeAt !== undefined)
        timer = setTimeout(() => step(() => session.wake(now())), Math.max(0, wakeAt - now()))
    }
    function step(take: () => LineStep<T>) {
      if (isOver) return
      try {
        follow(take())
      } catch (error) {
        fail(error)
      }
    }

    signal?.addEventListener('abort', abort)
    port.listen(
      (bytes) => step(() => session.take(bytes, now())),
      (error) => fail(new PortLostError(error.message)),
    )
    step(() => session.begin(now()))
  })
}
