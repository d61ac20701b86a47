import { randomUUID } from 'node:crypto'
import type { Authorised, LinkCode } from '#contract/device-protocol.ts'
import type { MachinePlan } from '../plan.ts'
import type { MediaAct } from './media-acts.ts'

/** An unanswered request is repeated after this time with the same id, a few times. */
const answerMs = 4000
const tries = 3
/** Requests that are remembered after the machine gave up. */
const remembered = 100

/** The requests of a machine about media, until the gateway answers. */
export function openQuestions(
  machine: {
    plan: MachinePlan
    request(kind: 'authorise' | 'linkCode', payload: object): void
  },
  pause: (milliseconds: number) => Promise<void>,
) {
  const pending = new Map<string, (answer: Authorised | null) => void>()
  const givenUp = new Set<string>()
  const codes = new Map<string, (answer: LinkCode | null) => void>()
  return {
    /** Null without an answer in time. */
    async authorise(
      { mediaSerial, mediaType, action }: Extract<MediaAct, { action: 'sell' | 'collect' }>,
      amount: number,
    ): Promise<Authorised | null> {
      const id = randomUUID()
      const { currency } = machine.plan
      const purpose = action === 'collect' ? 'collect' : 'vend'
      const answered = new Promise<Authorised | null>((resolve) => pending.set(id, resolve))
      for (let time = 0; time < tries && pending.has(id); time++) {
        machine.request('authorise', { id, mediaSerial, mediaType, amount, currency, purpose })
        await Promise.race([answered, pause(answerMs)])
      }
      if (pending.delete(id)) {
        givenUp.add(id)
        for (const oldest of givenUp) if (givenUp.size > remembered) givenUp.delete(oldest)
        return null
      }
      return answered
    },
    /** Null without an answer in time. */
    async linkCode(mediaSerial: string, mediaType: number): Promise<LinkCode | null> {
      const id = randomUUID()
      const answered = new Promise<LinkCode | null>((resolve) => codes.set(id, resolve))
      machine.request('linkCode', { id, mediaSerial, mediaType })
      const answer = await Promise.race([answered, pause(answerMs).then(() => null)])
      codes.delete(id)
      return answer
    },
    /** Returns whether the answer is late: the machine gave up before. */
    authorised(answer: Authorised): boolean {
      const take = pending.get(answer.id)
      pending.delete(answer.id)
      take?.(answer)
      return givenUp.delete(answer.id)
    },
    linked: (answer: LinkCode) => codes.get(answer.id)?.(answer),
    stop() {
      for (const resolve of codes.values()) resolve(null)
      for (const resolve of pending.values()) resolve(null)
    },
  }
}
