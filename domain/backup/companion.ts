/** A version of a file of another program in a backup. */
export interface CompanionVersion {
  name: string
  savedAt: Date
}

const dayMillis = 86_400_000
const hourOf = (at: Date) => Math.floor(at.getTime() / 3_600_000)

/** The version of a moment: the last one before it, or else the first. Without a moment the last. */
export function companionAt<V extends CompanionVersion>(versions: readonly V[], until?: Date): V | undefined {
  const inOrder = versions.toSorted((a, b) => a.savedAt.getTime() - b.savedAt.getTime())
  return inOrder.findLast(({ savedAt }) => until === undefined || savedAt <= until) ?? inOrder[0]
}

/**
 * Whether a version is kept. The version of each moment since `since` is, but of versions older than a day only the last of each hour: while a fleet associates, the
 * file changes each half minute.
 */
export function isCompanionNeeded(
  version: CompanionVersion,
  versions: readonly CompanionVersion[],
  { since, now }: { since: Date; now: Date },
): boolean {
  const [next] = versions
    .filter(({ name, savedAt }) => name === version.name && savedAt > version.savedAt)
    .toSorted((a, b) => a.savedAt.getTime() - b.savedAt.getTime())
  if (!next) return true
  const isOld = version.savedAt.getTime() < now.getTime() - dayMillis
  return next.savedAt > since && !(isOld && hourOf(next.savedAt) === hourOf(version.savedAt))
}

const nameOf = ({ savedAt }: CompanionVersion) => savedAt.toISOString().replaceAll(/[-:.]/g, '')

/** The place of a version below its backup's folder of companions, such as `accounts.json/20261127T101500123Z`. */
export const companionKey = (version: CompanionVersion): string => `${version.name}/${nameOf(version)}`

/** The version at a place. Undefined for another name. */
export function companionOf(key: string): CompanionVersion | undefined {
  const [, name, day, time, millis] = /^([^/]+)\/(\d{8})T(\d{6})(\d{3})Z$/.exec(key) ?? []
  if (!name || !day || !time) return undefined
  const dashed = day.replace(/(....)(..)(..)/, '$1-$2-$3')
  return { name, savedAt: new Date(`${dashed}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}.${millis}Z`) }
}
