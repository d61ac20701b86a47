import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { loadModule } from 'libpg-query'
import { afterEach } from 'vitest'
import { setDistributed } from '#database/frame/distributed.ts'
import { type Door, watchStatements } from '#database/frame/tenant.ts'
import { type Analysis, analyse, crashesOf, faultsOf } from '../checks/statement.ts'
import { exceptionFor, usedExceptionsFile } from '../checks/statement-exceptions.ts'
import { nodeUrls } from './cluster/nodes.ts'

// Loaded first by every test file with a database: each statement is parsed once and checked against the rules of
// docs/scaling.md.
await loadModule()
watchStatements(refuseWrong)
setDistributed(nodeUrls.length > 0)

const root = join(import.meta.dirname, '..')
const analyses = new Map<string, Analysis>()
const used = new Set<string>()
const refused: string[] = []
const unguarded = new AsyncLocalStorage<true>()

/** Runs statements that break the rules on purpose, such as access to another merchant. */
export const withoutGuard = <T>(work: () => Promise<T>): Promise<T> => unguarded.run(true, work)

/** Statements refused since the last test; a test that expects them takes them. */
export const takeRefused = (): string[] => refused.splice(0)

// Code that catches all errors would hide a refusal.
afterEach(() => {
  const missed = takeRefused()
  if (missed.length > 0) throw new Error(missed.join('\n\n'))
})

/** Rows of a long VALUES list repeat the first one. */
const furtherRows = /(\(\$\d+(?:,\s*\$\d+)*\))(?:,\s*\(\$\d+(?:,\s*\$\d+)*\))+/g

function analysisOf(text: string): Analysis {
  const short = text.replace(furtherRows, '$1')
  let analysis = analyses.get(short)
  if (!analysis) {
    analysis = analyse(short)
    analyses.set(short, analysis)
  }
  return analysis
}

function refuseWrong({ sql, parameters }: { sql: string; parameters: readonly unknown[] }, door: Door): void {
  // A scope without merchants sees no row.
  if (unguarded.getStore() || ('scope' in door && door.scope.length === 0)) return
  const analysis = analysisOf(sql)
  if (analysis.uses.length === 0 && analysis.faults.length === 0 && analysis.crashes.length === 0) return
  const [only, ...others] = 'scope' in door ? new Set(door.scope.map(({ merchantId }) => merchantId)) : []
  const one = only !== undefined && others.length === 0 ? { merchantId: only } : undefined
  const reader = one ?? ('scope' in door && door.isApart ? 'each' : 'several')
  const crashes = crashesOf(analysis, reader)
  // Screens read several merchants apart. Jobs read all in one statement, and what machines of several merchants send is stored in a
  // transaction for each where there are several nodes.
  const ofOneNode = 'scope' in door && (door.isRead || door.isApart) ? analysis.ofOneNode : []
  const faults = [...crashes, ...faultsOf({ ...analysis, ofOneNode }, reader, parameters)]
  if (faults.length === 0) return
  // The stack is read only where it decides: each request looks its user up across merchants.
  const exception = exceptionFor(
    'reason' in door ? { reason: door.reason } : { file: callingFile(), isOne: one !== undefined },
  )
  if (exception !== undefined && crashes.length === 0) return note(exception)
  const refusal = `${callingFile()} sends a statement that a distributed database refuses: ${faults.join('; ')}.\n${sql}`
  refused.push(refusal)
  throw new Error(refusal)
}

/** Notes a used exception for the end of a full run, which reports unused exceptions. */
function note(exception: string): void {
  const path = process.env[usedExceptionsFile]
  if (path === undefined || used.has(exception)) return
  used.add(exception)
  appendFileSync(path, `${exception}\n`)
}

/** Our file that creates the statement: the nearest caller outside the database frame. */
function callingFile(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  const files = [...stack.matchAll(/(?:\(|at |file:\/\/)(\/[^():]+\.ts):\d+/g)].map(([, path]) =>
    relative(root, path ?? ''),
  )
  const isFrame = /^(node_modules|testkit\/statement-guard\.ts|database\/frame\/(?!.*\.test\.ts))/
  return files.find((file) => !isFrame.test(file)) ?? 'unknown'
}
