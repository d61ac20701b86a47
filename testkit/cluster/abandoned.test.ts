import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { claimTemplate, dataDirOf, dropAbandonedTemplates, removeAbandonedData } from './abandoned.ts'
import { runFolders } from './run-folder.ts'

function aCache() {
  const cache = mkdtempSync(join(tmpdir(), 'gettone-abandoned-'))
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
  return cache
}

async function aConnection() {
  const client = new pg.Client(inject('postgresUrl'))
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('a live run keeps its data, even while its folders are still empty', async () => {
  const cache = aCache()
  const ownFolder = dataDirOf(cache, process.pid)
  mkdirSync(ownFolder)
  await removeAbandonedData(cache)
  expect(existsSync(ownFolder)).toBe(true)
})

test('folders of killed runs are removed, also if another process has their process id', async () => {
  const cache = aCache()
  const ended = join(cache, 'test-postgres-4194305-1')
  const another = join(cache, `test-postgres-${process.pid}-1`)
  for (const folder of [ended, another]) mkdirSync(folder)
  mkdirSync(join(cache, 'pictures'))
  await removeAbandonedData(cache)
  expect([ended, another, join(cache, 'pictures')].map((path) => existsSync(path))).toEqual([false, false, true])
})

test('a run keeps its data in memory where that has room, and removes what earlier runs left in either place', () => {
  const clone = aCache()
  expect(runFolders(clone, 0)).toEqual({ now: clone, all: [clone] })
  const { now, all } = runFolders(clone, 8 * 1024 ** 3)
  expect(now).toMatch(/^\/dev\/shm\/gettone-tests-/)
  expect(all).toEqual([now, clone])
})

test('a template in use stays; an abandoned one is dropped', async () => {
  const holder = await aConnection()
  const other = await aConnection()
  const abandoned = `gettone_template_${randomUUID().slice(0, 8)}`
  await other.query(`create database ${abandoned}`)
  const held = await claimTemplate(holder)
  await other.query(`create database ${held}`)
  await dropAbandonedTemplates(other)
  const { rows } = await other.query<{ datname: string }>(`select datname from pg_database where datname = any($1)`, [
    [abandoned, held, inject('templateDatabase')],
  ])
  expect(rows.map(({ datname }) => datname).sort()).toEqual([held, inject('templateDatabase')].sort())
  await other.query(`drop database ${held}`)
})
