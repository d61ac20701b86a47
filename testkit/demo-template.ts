import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { ensureDemo } from '#demo/story.ts'
import type { Config } from '#server/config.ts'
import { demoTemplateOf } from './cluster/abandoned.ts'
import { openTestDatabase, renameDatabase } from './database.ts'

/** The smallest demo in which every list has a page and every machine a history. */
const small = { machines: 40, transactions: 12_000, historyDays: 29 }

type Fleet = Awaited<ReturnType<typeof ensureDemo>>['machines']

const fleetFile = (template: string) => join(tmpdir(), `${template}.json`)

/**
 * A database with the small demo, and the stored state of its machines. The run's first product creates both for all.
 */
export async function openDemoDatabase(config: Config) {
  const template = demoTemplateOf(inject('templateDatabase'))
  const lock = new pg.Client(inject('postgresUrl'))
  await lock.connect()
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [template])
    if (!existsSync(fleetFile(template))) await makeDemo(template, config)
  } finally {
    await lock.end()
  }
  const machines: Fleet = JSON.parse(readFileSync(fleetFile(template), 'utf8'))
  return { database: await openTestDatabase(template), machines }
}

/** A database of its own with the small demo, whose history ends at an instant. */
export async function openDemoUntil(now: Date, config: Config) {
  const database = await openTestDatabase()
  const log = pino({ level: 'silent' })
  const { machines } = await ensureDemo({
    adminUrl: database.adminUrl,
    doors: database,
    config,
    log,
    now,
    ...small,
  })
  return { database, machines }
}

async function makeDemo(template: string, config: Config): Promise<void> {
  const database = await openTestDatabase()
  const log = pino({ level: 'silent' })
  const fleet = await ensureDemo({ adminUrl: database.adminUrl, doors: database, config, log, ...small })
  await database.release()
  await renameDatabase(new URL(database.adminUrl).pathname.slice(1), template)
  writeFileSync(fleetFile(template), JSON.stringify(fleet.machines))
}
