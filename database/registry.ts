/**
 * What kind of table each one is. `tenant`: merchant_id leads every key, row-level security forced. `reference`: the same for
 * all, guarded by its own key where it names merchants. `local`: directories, people, jobs; out of the tenant role's reach.
 */
export const tables = {
  merchants: 'reference',
  merchant_settings: 'tenant',
  merchant_features: 'tenant',
  groups: 'tenant',
  machines: 'tenant',
  machine_secrets: 'tenant',
  machine_journals: 'tenant',
  transactions: 'tenant',
  sales_hourly: 'tenant',
  events: 'tenant',
  alarms: 'tenant',
  audits: 'tenant',
  cash_readings: 'tenant',
  remote_commands: 'tenant',
  notes: 'tenant',
  shared_views: 'tenant',
  change_log: 'tenant',
  machine_directory: 'local',
  association_pins: 'local',
  users: 'local',
  user_merchants: 'local',
  user_groups: 'local',
  session_log: 'local',
  table_states: 'local',
  private_views: 'local',
  identity_credentials: 'local',
  identity_links: 'local',
  identity_state: 'local',
  identity_keys: 'local',
  identity_attempts: 'local',
  mailbox: 'local',
  dead_letters: 'local',
  association_attempts: 'local',
  migrations: 'local',
} as const satisfies Record<string, 'tenant' | 'reference' | 'local'>

export type TableName = keyof typeof tables
