/**
 * Statements that may break the rules of statement.ts, by where they come from, with why. The list only shrinks: at the end of a
 * whole run `npm test` fails over an exception that nothing used.
 */
export const statementExceptions = {
  /** Calls on one merchant, by the file that makes the statement. */
  one: {},
  /** Calls on several merchants, by the file. */
  several: {},
  /** Work that crosses tenants, by its reason in system-reasons.ts. */
  system: {
    'alarm mail': 'not mended yet',
    'associate machine': 'not mended yet',
    'audit intervals': 'not mended yet',
    'due commands': 'not mended yet',
    'expire commands': 'not mended yet',
    'find machine': 'not mended yet',
    people: 'not mended yet',
    presence: 'not mended yet',
    'resolve principal': 'not mended yet',
    rollups: 'not mended yet',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>

/** The variable that names the file to which tests write the exceptions they used. */
export const usedExceptionsFile = 'USED_EXCEPTIONS'

type Origin = { reason: string } | { file: string; isOne: boolean }

/** The name of the exception under which a statement falls. */
export function exceptionFor(origin: Origin): string | undefined {
  const [kind, name] =
    'reason' in origin
      ? (['system', origin.reason] as const)
      : ([origin.isOne ? 'one' : 'several', origin.file] as const)
  return name in statementExceptions[kind] ? `${kind}: ${name}` : undefined
}

/** Exceptions of the list that a whole run did not use. */
export function unusedExceptions(used: string): string[] {
  const lines = new Set(used.split('\n'))
  return Object.entries(statementExceptions)
    .flatMap(([kind, names]) => Object.keys(names).map((name) => `${kind}: ${name}`))
    .filter((name) => !lines.has(name))
}
