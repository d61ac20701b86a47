import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Serial } from '#contract/device-protocol.ts'
import { MdbSettings } from '../mdb/mdb-settings.ts'
import { PortSettings } from '../ports/port-settings.ts'

/** What the agent knows of itself and its portal: `agent.json` in its folder, readable by its user alone. */
export const AgentSettings = z.strictObject({
  portal: z.url(),
  serial: Serial,
  secret: z.string(),
  epoch: z.int(),
  /** `http` for networks that let nothing else out. */
  transport: z.enum(['mqtt', 'http']).default('mqtt'),
  mqtt: z.object({ host: z.string(), port: z.int(), tls: z.boolean() }),
  machine: PortSettings,
  /** Minutes between two readings; 0 reads on command only. */
  readEvery: z.int().min(0).max(10_080).default(60),
  /** A command of the shell that restarts the machine, by a relay for example. */
  restart: z.string().min(1).optional(),
  /** A folder in which another program puts audits of the machine. */
  drop: z.string().min(1).optional(),
  /** Sales that are heard on the MDB bus. */
  mdb: MdbSettings.optional(),
})
export type AgentSettings = z.infer<typeof AgentSettings>

const fileIn = (folder: string) => join(folder, 'agent.json')

/** There are no settings in a folder, or they are wrong; the text says what. */
export class SettingsError extends Error {}

/** Reads the settings of a folder. */
export function readSettings(folder: string): AgentSettings {
  const path = fileIn(folder)
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new SettingsError(`${path} cannot be read: set the agent up first`, { cause: error })
  }
  const parsed = AgentSettings.safeParse(content)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new SettingsError([`${path} is wrong`, ...faults].join('\n'))
}

/** Replaces the settings at once, so that a power cut leaves the old or the new ones. */
export function writeSettings(folder: string, settings: AgentSettings): void {
  const path = fileIn(folder)
  writeFileSync(`${path}.new`, `${JSON.stringify(settings, undefined, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
}
