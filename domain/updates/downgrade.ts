import type { Downgrade } from '#contract/updates/downgrade.ts'
import { compareReleases } from './release-order.ts'

/** Whether an update to a version would take a machine back to an older one. */
export const isDowngrade = (from: string, to: string): boolean => compareReleases(from, to) > 0

/**
 * Which machines an update would take back to an older version; undefined if none. Rules and remote commands refuse it until a user allows it,
 * and a rollout leaves such machines alone.
 */
export function downgradeOf(
  running: readonly { version: string; machines: number }[],
  to: string,
): Downgrade | undefined {
  const newer = running.filter(({ version }) => isDowngrade(version, to))
  if (newer.length === 0) return undefined
  const versions = [...new Set(newer.map(({ version }) => version))].toSorted(compareReleases)
  return { machines: newer.reduce((sum, { machines }) => sum + machines, 0), versions, names: versions.join(', ') }
}
