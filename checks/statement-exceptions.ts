/**
 * Statements that may break the rules of statement.ts, by where they come from, with why. The list only shrinks: at the end of a
 * whole run `npm test` fails over an exception that nothing used.
 */
export const statementExceptions = {
  /** Calls on one merchant, by the file that makes the statement. */
  one: {},
  /** Calls on several merchants, by the file. */
  several: {
    'database/alarms/alarm-repair.ts': 'alarms of several merchants are repaired together, with their machines held',
    'database/alarms/alarm-rule.ts':
      'on one node a transaction stores what machines of several merchants send; a distributed database has one for each',
    'database/ingest/journal.ts':
      'on one node a transaction stores what machines of several merchants send; a distributed database has one for each',
    'database/machines/machine-condition.ts':
      'on one node conditions of several merchants are written together; a distributed database writes them apart',
    'server/api/machines/assign-many.ts': 'machines of several merchants are assigned together',
    'server/api/machines/machine-edit.ts': 'machines of several merchants are edited together',
    'server/http/editable.ts': 'under all merchants a record is held by its id alone',
  },
  /** Work that crosses tenants, by its reason in system-reasons.ts. */
  system: {
    people: 'users are listed and edited beside their groups and merchants',
    'api tokens': 'a token is found by its hash in the directory and joined to its row',
    'associate machine': 'machines and expected associations are looked up by serial among all merchants',
    'due commands': 'due commands of all merchants are claimed in one order',
    'due refills': 'what is due is looked up among all merchants',
    'expire commands': 'commands of all merchants end at their expiry',
    presence: 'machines of all merchants fall silent in one statement',
    'alarm mail': 'what is due is looked up among all merchants',
    'report mail': 'what is due is looked up among all merchants',
    'customer sessions': 'ended links and sessions of all merchants are deleted together',
    'claim mail': 'what is due is looked up among all merchants',
    'audit intervals': 'what is due is looked up among all merchants',
    'no-vend profiles': 'what is due is looked up among all merchants',
    'due web payments': 'what is due is looked up among all merchants',
    'web payment callbacks': 'a payer’s link and a foreign report name an order by its reference alone',
    'web payment services': 'the merchants with credentials for a service are counted',
    'planned prices': 'what is due is looked up among all merchants',
    'stock supplies': 'what is due is looked up among all merchants',
    'credit reservations': 'what is due is looked up among all merchants',
    'ledger check': 'the accounts of all merchants are compared with their entries',
    'data retrieval requests': 'what is due is looked up among all merchants',
    'platform status': 'what waits and what failed is counted over all merchants',
    imports: 'what is due is looked up among all merchants',
    webhooks: 'what is due is looked up among all merchants',
    rollouts: 'what is due is looked up among all merchants',
    'rollout mail': 'what is due is looked up among all merchants',
    'screen copies': 'the merchants with a storage are looked up among all merchants',
    'licence terms': 'what is due is looked up among all merchants',
    firmwares: 'commands of all merchants that name a file keep it from being replaced',
    rollups: 'what is due is looked up among all merchants',
    'sensor thresholds': 'a threshold for all is compared with the sensors of all merchants',
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
  return Object.hasOwn(statementExceptions[kind], name) ? `${kind}: ${name}` : undefined
}

/** Exceptions of the list that a whole run did not use. */
export function unusedExceptions(used: string): string[] {
  const lines = new Set(used.split('\n'))
  return Object.entries(statementExceptions)
    .flatMap(([kind, names]) => Object.keys(names).map((name) => `${kind}: ${name}`))
    .filter((name) => !lines.has(name))
}
