import type { ServerTime } from '#contract/device-protocol.ts'
import type { UpdatePhase } from '#contract/vocabulary/update.ts'
import type { CommandAction, Outcome } from '../portal/commands.ts'
import type { Access } from '../portal/link.ts'
import { agentVersion } from '../version.ts'
import { openVersions } from './versions.ts'

export interface AgentUpdates {
  /** Command 11; undefined where no launcher starts the agent. */
  action: CommandAction | undefined
  /** The command whose version is on trial: it has not ended. */
  executedId(): string | undefined
  /** Reports how the last update ended. */
  reportEnd(): void
  /** The portal has answered: a version on trial stays. */
  confirmed(time: ServerTime): void
}

export interface UpdatesParts {
  folder: string
  access: Access
  progress(progress: { commandId: string; phase: UpdatePhase; percent?: number }): void
  /** Reports the end of a command unless the journal has it. Throws DiskFullError. */
  report(commandId: string, outcome: Outcome): void
  idle(): Promise<unknown>
  /** Ends the agent, so that the launcher starts the new version. */
  restart(): void
  signal: AbortSignal
  failed(error: unknown): void
}

export function openUpdates(parts: UpdatesParts): AgentUpdates {
  const { folder, access, signal, idle, failed } = parts
  // The version of the package. The launcher sets it: without a launcher nothing starts another version.
  const base = process.env.GETTONE_AGENT_BASE
  const versions = base === undefined ? undefined : openVersions(folder, base)
  let isOnTrial = versions?.trial()?.version === agentVersion
  let isBusy = false
  let ahead = 0

  function tryTo(work: () => void) {
    try {
      work()
    } catch (error) {
      // The next answer of the portal, or the next start, tries it again.
      failed(error)
    }
  }

  const reportEnd = () =>
    tryTo(() => {
      const end = versions?.ended()
      if (!end) return
      parts.report(end.commandId, { outcome: end.outcome, info: end.info })
      versions?.forget()
    })

  async function update(parameters: unknown, commandId: string): Promise<Outcome | undefined> {
    // Only the program of an update itself needs the rest.
    const [{ prepareUpdate }, { updateKey }] = await Promise.all([import('./update.ts'), import('./update-key.ts')])
    const release = await prepareUpdate(parameters, {
      access,
      running: agentVersion,
      key: () => updateKey(folder, access),
      progress: (phase, percent) => parts.progress({ commandId, phase, percent }),
      clock: () => new Date(Date.now() + ahead).toISOString().slice(0, 19),
      idle,
      signal,
    })
    if (!release) return { outcome: 'success', info: `Version ${agentVersion} runs already` }
    versions?.install(release, { former: agentVersion, commandId })
    parts.restart()
    return undefined
  }

  return {
    action:
      versions &&
      (async (parameters, commandId) => {
        if (isBusy || versions.trial()) return { outcome: 'error', info: 'Another update is under way' }
        isBusy = true
        try {
          return await update(parameters, commandId)
        } finally {
          isBusy = false
        }
      }),
    executedId: () => versions?.trial()?.commandId ?? versions?.ended()?.commandId,
    reportEnd,
    confirmed({ local }) {
      ahead = Date.parse(`${local}Z`) - Date.now()
      if (!isOnTrial || !versions) return
      tryTo(versions.confirm)
      isOnTrial = versions.trial() !== undefined
      reportEnd()
      // The portal may have another key for later updates.
      if (!isOnTrial) renewKey(parts).catch(failed)
    },
  }
}

async function renewKey({ folder, access }: UpdatesParts): Promise<void> {
  const { fetchUpdateKey } = await import('./update-key.ts')
  await fetchUpdateKey(folder, access)
}
