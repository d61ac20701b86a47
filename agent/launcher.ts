#!/usr/bin/env -S node --max-semi-space-size=1 --optimize-for-size --no-opt --no-maglev
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { defaultFolder } from './settings/default-folder.ts'
import { openVersions, type Versions } from './updates/versions.ts'
import { agentVersion } from './version.ts'

/*
 * Starts the version that runs: the one of its package, or an update in the agent's folder. It is part of the package alone, so an update
 * cannot break it. systemd starts it again whenever it ends.
 */

/** A version on trial has so long in each start to reach the portal. */
const trialSeconds = Number(process.env.GETTONE_AGENT_TRIAL_SECONDS ?? 600)

/** Ends a version on trial that has not reached the portal, also if it hangs: it runs in a thread of its own. */
function watch(versions: Versions): void {
  setTimeout(() => {
    if (!versions.trial()) return
    try {
      versions.goBack(`it did not reach the portal within ${trialSeconds} seconds`)
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  }, trialSeconds * 1000)
}

/** Programs of a folder run for its owner alone: root executes nothing that the agent's user may write. */
function isOwn(folder: string): boolean {
  try {
    return statSync(folder).uid === process.getuid?.()
  } catch {
    return false
  }
}

async function launch(): Promise<void> {
  const [command] = process.argv.slice(2)
  const { values } = parseArgs({ options: { folder: { type: 'string', default: defaultFolder } }, strict: false })
  const folder = String(values.folder)
  process.env.GETTONE_AGENT_BASE = agentVersion
  let program: string | undefined
  if (isOwn(folder)) {
    const versions = openVersions(folder, agentVersion)
    if (command === 'run') {
      const start = versions.start()
      program = start.program
      if (start.isOnTrial) new Worker(new URL(import.meta.url), { workerData: folder }).unref()
    } else program = versions.program()
  }
  await import(pathToFileURL(program ?? `${import.meta.dirname}/main.mjs`).href)
}

if (isMainThread) await launch()
else watch(openVersions(String(workerData), agentVersion))
