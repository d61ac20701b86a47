/**
 * Everything that may cross tenants, with why. A test holds this list against the calls in the code: a reason that nobody uses,
 * or a call whose reason is not here, fails.
 */
export const systemReasons = {
  'resolve principal': 'who is calling is looked up before any tenant is known',
  'own profile': 'people are kept in a local table',
  'table states': 'how people look at their tables is kept in a local table',
  'private views': 'views of one person alone are kept in a local table',
  'share view': 'a view goes from its owner’s local table to its merchant’s, or back, in one transaction',
  'session log': 'people’s sessions are kept in a local table',
  identity: 'the embedded provider’s accounts, sessions and keys belong to no tenant',
  mailbox: 'the development mailbox belongs to no tenant',
  'find machine': 'a connection knows a serial only; the directory tells its merchant',
  'associate machine': 'the PIN decides which merchant an unknown machine joins',
  'association pins': 'a PIN is unique among all merchants',
  'own exports': 'an export belongs to a person, whatever merchants it reads',
  'run exports': 'a worker runs the exports of everybody',
  'dead letters': 'what could not be understood may have no tenant',
  'due commands': 'the gateway publishes the commands of all tenants',
  'expire commands': 'commands of all tenants end at their expiry',
  presence: 'machines of all tenants fall silent',
  'alarm rules': 'audits and machines of all tenants become overdue',
  'alarm mail': 'mail about the alarms of all tenants goes to people, who are kept in local tables',
  partitions: 'partitions belong to all tenants',
  'postal codes': 'places belong to no tenant',
  health: 'whether the database answers at all',
  'demo data': 'the demo makes its own merchants',
} as const satisfies Record<string, string>

export type SystemReason = keyof typeof systemReasons
