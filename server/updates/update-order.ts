import type { InstallWindow, SignedFile } from '#contract/commands/command-parameters.ts'
import type { Peripheral } from '#contract/vocabulary/remote-command.ts'
import type { CommandWindow } from '#domain/commands/command-window.ts'
import { offsetAt } from '#domain/time/local-hour.ts'
import type { FittedMachine, FittingRelease } from '#domain/updates/release-fit.ts'
import type { UpdateSigner } from './signing-key.ts'

/** A firmware or database that can be sent: it has a file. */
export interface Release extends FittingRelease {
  peripheral: Peripheral | null
  version: string
  file: { id: string; bytes: number; sha256: string }
}

export interface ReleaseTarget extends FittedMachine {
  serial: string
  timeZone: string
  /** The key that the machine has fetched last; null: the first. */
  updateKey: string | null
}

/** An instant on the clock of a zone, as machines write it. */
const clockAt = (at: Date, timeZone: string) =>
  new Date(at.getTime() + offsetAt(at.getTime(), timeZone)).toISOString().slice(0, 19)

/** The parameters of an update's command for one machine. */
export function updateParameters(
  release: Release,
  target: Pick<ReleaseTarget, 'serial' | 'timeZone' | 'updateKey'>,
  window: CommandWindow,
  { sign, publicUrl, allowDowngrade }: { sign: UpdateSigner; publicUrl: string; allowDowngrade: boolean },
): { version: string; peripheral?: Peripheral; file: SignedFile; window: InstallWindow; allowDowngrade?: true } {
  const { kind, peripheral, version, file } = release
  const { id, bytes, sha256 } = file
  return {
    version,
    ...(peripheral !== null && { peripheral }),
    file: {
      id,
      bytes,
      sha256,
      url: `${publicUrl.replace(/\/$/, '')}/device/v1/${encodeURIComponent(target.serial)}/files/${id}`,
      signature: sign({ kind, peripheral, version, bytes, sha256 }, target),
    },
    window: { from: clockAt(window.notBefore, target.timeZone), until: clockAt(window.expiresAt, target.timeZone) },
    ...(allowDowngrade && { allowDowngrade }),
  }
}
