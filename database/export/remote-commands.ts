import { sql } from 'kysely'
import { commandsMatching, remoteCommandOrdering } from '../commands/remote-command.ts'
import { nameTold } from '../frame/name-told.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

/** Remote commands, as filtered and sorted. A file is passed on, so those whom merchants are not shown stand in none. */
export const remoteCommandsSource: ExportSource<'remoteCommands'> = {
  ...homeOf('merchants'),
  columns: {
    type: {
      type: {
        heading: 'remote-command:column.command',
        kind: 'word',
        of: 'commandType',
        sql: sql`remote_commands.type`,
      },
      amount: {
        heading: 'remote-command:fact.amount',
        kind: 'amount',
        sql: sql`(case when remote_commands.type in (5, 7) then (remote_commands.parameters->>'amount')::bigint end)`,
      },
    },
    posName: {
      machine: { heading: 'remote-command:column.machine', kind: 'text', sql: sql`machines.name` },
      serial: { heading: 'remote-command:fact.serial', kind: 'text', sql: sql`machines.serial` },
    },
    status: {
      status: {
        heading: 'remote-command:column.status',
        kind: 'word',
        of: 'commandStatus',
        sql: sql`remote_commands.status`,
      },
    },
    result: {
      result: {
        heading: 'remote-command:column.result',
        kind: 'word',
        of: 'commandResult',
        sql: sql`remote_commands.result`,
      },
      info: { heading: 'remote-command:fact.info', kind: 'text', sql: sql`remote_commands.result_info` },
    },
    attempts: {
      attempts: { heading: 'remote-command:column.attempts', kind: 'number', sql: sql`remote_commands.attempts` },
    },
    by: {
      by: {
        heading: 'remote-command:column.by',
        kind: 'text',
        sql: nameTold(sql`remote_commands.created_by`, sql`remote_commands.created_by_name`, false),
      },
    },
    createdAt: {
      createdAt: { heading: 'remote-command:column.set', kind: 'instant', sql: sql`remote_commands.created_at` },
    },
    notBefore: {
      notBefore: { heading: 'remote-command:column.start', kind: 'instant', sql: sql`remote_commands.not_before` },
    },
    expiresAt: {
      expiresAt: { heading: 'remote-command:column.end', kind: 'instant', sql: sql`remote_commands.expires_at` },
    },
    startedAt: {
      sentAt: { heading: 'remote-command:fact.sent', kind: 'instant', sql: sql`remote_commands.sent_at` },
      startedAt: { heading: 'remote-command:fact.started', kind: 'instant', sql: sql`remote_commands.started_at` },
    },
    executedAt: {
      executedAt: { heading: 'remote-command:column.executed', kind: 'instant', sql: sql`remote_commands.executed_at` },
    },
    id: { id: { heading: 'remote-command:fact.id', kind: 'plain', sql: sql`remote_commands.id` } },
  },
  open: async (db, order) => rowsOf((await commandsMatching(db, order.filter))(), remoteCommandOrdering(order)),
}
