import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { rounds } from '#contract/stock/round.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { keyOf } from '#portal/app/api.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { startSending } from './sendOutbox.ts'
import { type KeptStep, subjectOf } from './steps.ts'

const saysOf = {
  visit: 'visit:sent',
  skip: 'round:skip.done',
  pick: 'piece:pick.booked',
  start: 'round:started',
  finish: 'round:finished',
} as const satisfies Record<KeptStep['kind'], string>

/** Sends what is kept on this phone while the user is signed in. Shows nothing. */
export default function OutboxSender({ userId }: { userId: string }) {
  const client = useQueryClient()
  const { offline } = useSession()
  // Also at once when the session begins again.
  useEffect(
    () =>
      startSending(userId, (step, answer) => {
        toast.success(saysOf[step.kind], { name: subjectOf(step) })
        const { roundId } = step
        // The screen shows the answer before the kept step goes.
        if (answer && roundId && step.kind !== 'visit' && step.kind !== 'pick')
          client.setQueryData(keyOf(rounds.getRound, { params: { merchantId: allMerchants, roundId } }), answer)
        void client.invalidateQueries()
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- what waits is sent again when it changes
    [client, userId, offline],
  )
  return null
}
