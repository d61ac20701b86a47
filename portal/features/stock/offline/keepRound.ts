import type { QueryClient } from '@tanstack/react-query'
import type { Round } from '#contract/stock/round.ts'
import { onLogout } from '#portal/app/session/onLogout.ts'
import { readPicking } from '../picking/pickingQueries.ts'
import { keepPlans } from '../visit/visitPlans.ts'
import { keepPage, stopKeepingPage } from './keepPage.ts'
import { keepAnswers, stopKeeping } from './keptAnswers.ts'

// What is still under way must not be written after it was erased.
onLogout('round', () => {
  stopKeeping()
  stopKeepingPage()
})

/** Keeps on this phone what the work on a round needs without a network; the session itself is kept by its caller. */
export async function keepRound(client: QueryClient, round: Round, userId: string): Promise<void> {
  keepAnswers(client, userId)
  // Without the feature, or without the right, there is no pick list.
  if (round.vanId !== null) await readPicking(client, round).catch(() => undefined)
  await Promise.all([keepPlans(round, userId), keepPage().catch(() => undefined)])
}
