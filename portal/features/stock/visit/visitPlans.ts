import { get, set } from 'idb-keyval'
import type { Round } from '#contract/stock/round.ts'
import { type VisitPlan, visits } from '#contract/stock/visit.ts'
import { call } from '#portal/app/api.ts'
import { isLost } from '#portal/app/apiError.ts'
import { instantOf } from '#portal/app/i18n/format.ts'
import { loadWords } from '#portal/app/i18n/i18n.ts'
import { keptSession } from '#portal/app/session/keptSession.ts'
import { plans } from './planStore.ts'

/** What was read of a machine while there was a connection. */
interface KeptPlan {
  plan: VisitPlan
  userId: string
  /** The server's clock minus the phone's, in milliseconds. */
  clockOffset: number
  readAt: number
}

/** Words of the visit's screen, which are needed without a connection too. */
export const visitWords = ['visit', 'round', 'errors', 'form']

/** The machine's plan as the server has it, kept for later; the kept one when the server cannot be reached. */
export async function planOf(
  merchantId: string,
  posId: string,
  userId: string,
  signal?: AbortSignal,
): Promise<KeptPlan> {
  try {
    const plan: VisitPlan = await call(visits.getVisitPlan, { params: { merchantId, posId }, isWhole: true }, signal)
    const readAt = Date.now()
    const keptPlan = { plan, userId, readAt, clockOffset: (instantOf(plan.serverTime)?.getTime() ?? readAt) - readAt }
    // Not after a sign-out meanwhile.
    if (keptSession()?.me.id === userId) await set(posId, keptPlan, plans).catch(() => undefined)
    return keptPlan
  } catch (error) {
    const keptPlan = isLost(error) ? await get<KeptPlan>(posId, plans).catch(() => undefined) : undefined
    if (keptPlan?.userId === userId) return keptPlan
    throw error
  }
}

/** Reads the plans of all open stops of a round, and the words of the screen, while there is a connection. */
export async function keepPlans({ merchantId, stopList }: Round, userId: string): Promise<void> {
  await loadWords(visitWords).catch(() => undefined)
  for (const { posId, status } of stopList) {
    if (status !== 'open') continue
    // One after the other: a phone has other work, and the next stop comes first.
    const isReached = await planOf(merchantId, posId, userId).then(
      () => true,
      (error: unknown) => !isLost(error),
    )
    if (!isReached) return
  }
}
