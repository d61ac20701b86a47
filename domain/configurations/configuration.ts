import type { ConfigurationEdit, ConfigurationSync, Parameters } from '#contract/vocabulary/configuration.ts'

/** The change of one parameter between two configurations. */
export type ParameterChange =
  | { name: string; change: 'added'; before: null; after: string }
  | { name: string; change: 'removed'; before: string; after: null }
  | { name: string; change: 'changed' | 'same'; before: string; after: string }

const byName = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Every parameter of either configuration with its change, by name. */
export function changesBetween(before: Parameters, after: Parameters): ParameterChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(byName)
  return names.map((name): ParameterChange => {
    const was = ownOf(before, name)
    const is = ownOf(after, name)
    if (was === undefined) return { name, change: 'added', before: null, after: is as string }
    if (is === undefined) return { name, change: 'removed', before: was, after: null }
    return { name, change: was === is ? 'same' : 'changed', before: was, after: is }
  })
}

const ownOf = (parameters: Parameters, name: string) => (Object.hasOwn(parameters, name) ? parameters[name] : undefined)

/** How many parameters were added, removed and changed. */
export function countChanges(changes: readonly ParameterChange[]) {
  const of = (kind: ParameterChange['change']) => changes.filter(({ change }) => change === kind).length
  return { added: of('added'), removed: of('removed'), changed: of('changed') }
}

/** The same text for the same configuration, in any order of its parameters. */
export const canonical = (parameters: Parameters): string =>
  JSON.stringify(Object.entries(parameters).sort(([one], [other]) => byName(one, other)))

/** A merchant's target for a machine, the last configuration sent, and the last one reported. */
export interface WantedConfiguration {
  desired: Parameters
  version: number
  sentVersion: number | null
  /** When the machine reported that it has applied the configuration; null before. */
  appliedAt: Date | null
  reported: { parameters: Parameters; at: Date } | null
}

/**
 * Whether a machine has the target configuration: only a configuration that the machine reports counts. A difference
 * reported after the machine applied this version was caused at the machine.
 */
export function syncOf({ desired, version, sentVersion, appliedAt, reported }: WantedConfiguration): {
  sync: ConfigurationSync
  editedOn: ConfigurationEdit | null
  /** Names of wanted parameters that the machine has otherwise, or not at all. */
  differing: string[]
} {
  const names = Object.keys(desired).sort(byName)
  if (names.length === 0) return { sync: 'none', editedOn: null, differing: [] }
  const differing = names.filter((name) => !reported || ownOf(reported.parameters, name) !== desired[name])
  if (differing.length === 0) return { sync: 'sync', editedOn: null, differing }
  const wasApplied = sentVersion === version && appliedAt !== null && reported !== null && reported.at >= appliedAt
  return { sync: 'pending', editedOn: wasApplied ? 'device' : 'portal', differing }
}
