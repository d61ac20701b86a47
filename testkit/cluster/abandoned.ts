import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { removeEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { isAlive, startOf } from '#server/postgres/home.ts'
import { onServers } from './nodes.ts'

const dataPrefix = 'test-postgres-'
const templatePrefix = 'gettone_template_'

/** The name of a run's database with the demo. */
export const demoTemplateOf = (template: string) => template.replace(templatePrefix, 'gettone_demo_')

/**
 * The folder of a run's PostgreSQL. Its name has the run's process id and start time, known before the folder has
 * content.
 */
export const dataDirOf = (cache: string, pid: number) => join(cache, `${dataPrefix}${pid}-${digits(startOf(pid))}`)

/** Killed runs leave their data. The data of live runs, also those starting or ending right now, are left alone. */
export async function removeAbandonedData(cache: string) {
  for (const name of readdirSync(cache).filter((name) => name.startsWith(dataPrefix))) {
    const pid = Number(name.slice(dataPrefix.length).split('-')[0])
    const isInUse = isAlive(pid) && join(cache, name) === dataDirOf(cache, pid)
    // Two runs may remove the same data at once: the second removal fails, which does no harm.
    if (!isInUse) await removeEmbeddedPostgres(join(cache, name)).catch(() => {})
  }
}

/** A template's name on a server that several runs may share. The template is in use while this connection is open. */
export async function claimTemplate(admin: Client): Promise<string> {
  const name = `${templatePrefix}${process.pid}_${digits(startOf(process.pid))}`
  await admin.query('select pg_advisory_lock(hashtext($1))', [name])
  return name
}

/** Drops the templates that no run holds, also on the other servers of a distributed run. */
export async function dropAbandonedTemplates(admin: Client, others: readonly string[] = []) {
  const { rows } = await admin.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [templatePrefix],
  )
  for (const { name } of rows) {
    const { rows: answers } = await admin.query<{ held: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as held',
      [name],
    )
    if (!answers[0]?.held) continue
    await admin.query(`drop database if exists ${name} with (force)`)
    await onServers(others, `drop database if exists ${name} with (force)`)
    await admin.query('select pg_advisory_unlock(hashtext($1))', [name])
  }
}

/** Without /proc, `ps` gives the start time, which contains blanks and colons. */
const digits = (started: string) => started.replaceAll(/[^0-9]/g, '')
