/** The versions of a rule: from which to which; `from` empty: any. */
export interface RuleVersions {
  from: readonly string[]
  to: string
}

const takes = ({ from }: RuleVersions, version: string) => from.length === 0 || from.includes(version)

/**
 * Whether two rules on one machine contradict: they start from the same version, or each undoes the other. Rules that follow one another
 * (1 to 2, 2 to 3) agree.
 */
export function doContradict(one: RuleVersions, other: RuleVersions): boolean {
  if (one.from.length === 0 || other.from.length === 0) return true
  if (one.from.some((version) => takes(other, version))) return true
  return takes(one, other.to) && takes(other, one.to)
}
