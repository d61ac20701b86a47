import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { removeEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { isAlive, startOf } from '#server/embedded-postgres-home.ts'

const dataPrefix = 'test-postgres-'
const templatePrefix = 'gettone_template_'

/** The name of a run's database with the demo, beside its empty one. */
export const demoTemplateOf = (template: string) => template.replace(templatePrefix, 'gettone_demo_')

/** Where a run keeps its PostgreSQL. The name says whose it is before there is anything in it: which process, and when it started. */
export const dataDirOf = (cache: string, pid: number) => join(cache, `${dataPrefix}${pid}-${digits(startOf(pid))}`)

/** Runs that were killed leave their data; those of a run that lives, in this very moment beginning or ending, are left alone. */
export async function removeAbandonedData(cache: string) {
  for (const name of readdirSync(cache).filter((name) => name.startsWith(dataPrefix))) {
    const pid = Number(name.slice(dataPrefix.length).split('-')[0])
    const isInUse = isAlive(pid) && join(cache, name) === dataDirOf(cache, pid)
    // Two runs may find the same data at once: the second is refused, and need not care.
    if (!isInUse) await removeEmbeddedPostgres(join(cache, name)).catch(() => {})
  }
}

/** A template's name on a server that several runs may share; it belongs to this connection while the connection is open. */
export async function claimTemplate(admin: Client): Promise<string> {
  const name = `${templatePrefix}${process.pid}_${digits(startOf(process.pid))}`
  await admin.query('select pg_advisory_lock(hashtext($1))', [name])
  return name
}

/** Drops the templates that no run holds. */
export async function dropAbandonedTemplates(admin: Client) {
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
    await admin.query('select pg_advisory_unlock(hashtext($1))', [name])
  }
}

/** What ps says where there is no /proc holds blanks and colons. */
const digits = (started: string) => started.replaceAll(/[^0-9]/g, '')
