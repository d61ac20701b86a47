import { rounds } from '#contract/stock/round.ts'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { type RoundHere, withKept } from '../outbox/overlay.ts'
import { useOutbox } from '../outbox/useOutbox.ts'

/** The round of the address, with what is kept of it on this phone. */
export function useRound() {
  const answer = useRecord(rounds.getRound, 'roundId')
  const steps = useOutbox()
  const here: RoundHere | undefined = answer.data && withKept(answer.data, steps)
  return { answer, here }
}
