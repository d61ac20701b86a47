import type { runningVersions } from '#contract/updates/running-version.ts'
import { countVersions } from '#database/updates/machine-version.ts'
import type { Handlers } from '#server/http/handler.ts'

export const runningVersionHandlers: Handlers<typeof runningVersions> = {
  listRunningVersions: ({ db, query }) => countVersions(db, query),
}
