import { useState } from 'react'
import { ApiError, type FailureCode } from '#portal/app/apiError.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { outbox } from './outbox.ts'
import { sendSoon, sendUnkept } from './sendOutbox.ts'
import type { KeptStep, NewStep } from './steps.ts'

/** The answer as the call's own failure. */
const failureOf = ({ code, facts }: NonNullable<KeptStep['refused']>) =>
  new ApiError(code as FailureCode, 409, { facts })

/**
 * Takes a step of a round: it is kept on this phone and sent, now or when there is a connection. What the server refuses while the user waits
 * is not kept, and the user stays where they are.
 */
export function useStep(onDone: () => void = () => undefined) {
  const { me } = useSession()
  const [isPending, setPending] = useState(false)
  const send = async (step: KeptStep): Promise<boolean> => {
    const isKept = await outbox.keep(step).then(
      () => true,
      () => false,
    )
    if (!isKept) {
      await sendUnkept(step)
      return true
    }
    await sendSoon(step.userId)
    const left = await outbox.find(step.id)
    if (left?.refused) {
      await outbox.remove(step.id)
      throw failureOf(left.refused)
    }
    return left === undefined
  }
  const take = async (step: NewStep): Promise<void> => {
    if (!me) return
    setPending(true)
    try {
      const isSent = await send({ ...step, userId: me.id, keptAt: Date.now(), refused: null })
      if (!isSent) toast.warning('visit:kept.now')
      onDone()
    } catch (error) {
      toast.error(error)
    } finally {
      setPending(false)
    }
  }
  return { take, isPending }
}
