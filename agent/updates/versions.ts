import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareReleases } from '#domain/updates/release-order.ts'
import { type Disk, disk as realDisk } from '../disk/disk.ts'

/** Which version runs: the file `versions/current` in the agent's folder. Without it the version of the package runs. */
interface Current {
  version: string
  /** The version of the package when this one was chosen. A newer package is preferred. */
  base: string
  /** The version has not reached the portal yet. */
  trial?: { former: string; commandId: string; starts: number }
  /** How the command of the last update ended, until the journal has it. */
  ended?: UpdateEnd
}

export interface UpdateEnd {
  commandId: string
  outcome: 'success' | 'error'
  info: string
}

/** A version on trial that has been started so often is left. */
export const mostStarts = 3

/** The versions in an agent's folder. The launcher and all versions use this file, so it stays as it is. */
export interface Versions {
  /** Chooses the version for a start, and counts starts on trial. `program` is undefined for the version of the package. */
  start(): { program: string | undefined; isOnTrial: boolean }
  /** The program of the version that runs, without a start. */
  program(): string | undefined
  trial(): { version: string; commandId: string } | undefined
  /** Writes the files of a version, and lets it run from the next start on: on trial until it has reached the portal. Throws when the disk is full. */
  install(release: { version: string; files: { name: string; content: Uint8Array }[] }, update: Update): void
  /** The version on trial has reached the portal. */
  confirm(): void
  /** Leaves the version on trial. */
  goBack(reason: string): void
  /** How the last update ended, until `forget`. */
  ended(): UpdateEnd | undefined
  forget(): void
}

interface Update {
  /** The version that runs now. */
  former: string
  commandId: string
}

/** `base` is the version of the package. */
export function openVersions(folder: string, base: string, disk: Disk = realDisk): Versions {
  const versions = join(folder, 'versions')
  const path = join(versions, 'current')
  const folderOf = (version: string) => join(versions, version)

  function read(): Current {
    try {
      const current = JSON.parse(readFileSync(path, 'utf8')) as Current
      const isReplaced = current.base !== base && compareReleases(base, current.version) > 0
      if (typeof current.version === 'string' && !isReplaced) return current
    } catch {
      // The version of the package runs.
    }
    return { version: base, base }
  }

  function write(current: Current) {
    disk.write(`${path}.new`, JSON.stringify(current))
    disk.rename(`${path}.new`, path)
  }

  function programOf(version: string): string | undefined {
    const program = join(folderOf(version), 'main.mjs')
    return version !== base && existsSync(program) ? program : undefined
  }

  /** Removes former versions, and what a power cut left half written. */
  function prune({ version, trial }: Current) {
    const kept = ['current', version, trial?.former]
    for (const name of readdirSync(versions)) if (!kept.includes(name)) disk.remove(join(versions, name))
  }

  function goBack(reason: string) {
    const { trial, version } = read()
    if (!trial) return
    const info = `Version ${version} was left: ${reason}`
    write({ version: trial.former, base, ended: { commandId: trial.commandId, outcome: 'error', info } })
  }

  return {
    start() {
      const { version, trial } = read()
      if (!trial) return { program: programOf(version), isOnTrial: false }
      const former = { program: programOf(trial.former), isOnTrial: false }
      try {
        if (trial.starts >= mostStarts) goBack(`it was started ${trial.starts} times and did not reach the portal`)
        else if (programOf(version) === undefined && version !== base) goBack('its program is missing')
        else {
          write({ version, base, trial: { ...trial, starts: trial.starts + 1 } })
          return { program: programOf(version), isOnTrial: true }
        }
      } catch {
        // What cannot be counted, on a full disk for example, is not tried.
      }
      return former
    },
    program: () => programOf(read().version),
    trial() {
      const { version, trial } = read()
      return trial && { version, commandId: trial.commandId }
    },
    install({ version, files }, { former, commandId }) {
      const fresh = `${folderOf(version)}.new`
      disk.makeFolder(versions)
      prune({ version: former, base })
      try {
        disk.makeFolder(fresh)
        for (const { name, content } of files) disk.write(join(fresh, name), content)
        disk.rename(fresh, folderOf(version))
        write({ version, base, trial: { former, commandId, starts: 0 } })
      } catch (error) {
        prune({ version: former, base })
        throw error
      }
    },
    confirm() {
      const { version, trial } = read()
      if (!trial) return
      const current: Current = {
        version,
        base,
        ended: { commandId: trial.commandId, outcome: 'success', info: `Version ${version} runs` },
      }
      write(current)
      prune(current)
    },
    goBack,
    ended: () => read().ended,
    forget() {
      const { version } = read()
      write({ version, base })
    },
  }
}
