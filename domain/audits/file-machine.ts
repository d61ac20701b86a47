import type { AuditContent } from '#contract/audits/audit-content.ts'
import type { MachineClue } from '#contract/vocabulary/audit.ts'
import { serialKey } from '../machines/serial.ts'

/** Shorter texts name no single machine; longer ones are no names. */
const shortest = 4
const longest = 40

/** Whether a text can name one machine of many: it has a digit, and more than one sign (makers leave `0000` or `1111`). */
function isName(key: string): boolean {
  const isSized = key.length >= shortest && key.length <= longest
  return isSized && /\d/.test(key) && new Set(key).size > 1
}

/** What a file calls its machine: the serial of the modem's envelope, ID101 and ID106, in capitals. */
export function namesOf({ identity }: Pick<AuditContent, 'identity'>, modemSerial: string | null): string[] {
  const { serial, assetNumber } = identity
  const keys = [modemSerial, serial, assetNumber].flatMap((text) => (text === null ? [] : [serialKey(text)]))
  return [...new Set(keys)].filter(isName)
}

/** Parts of a file's name that can be serials. Dates are among them; no machine has one as its serial. */
export function serialsInName(fileName: string): string[] {
  const stem = fileName.replace(/\.[^.]*$/, '')
  const parts = [stem, ...stem.split(/[^\p{L}\p{N}.-]+/u)].map(serialKey)
  return [...new Set(parts)].filter(isName)
}

/** Machines by the capitals of their serials, and by names that users gave them earlier; null: a name of two machines. */
export interface KnownNames {
  bySerial: ReadonlyMap<string, string>
  byChoice: ReadonlyMap<string, string | null>
}

export type MachineOfFile = { machineId: string; clue: MachineClue } | 'unknownSerial' | null

/**
 * The machine of a file. The sender's serial decides. Without it, all that the file and its name say must lead to one machine; otherwise a
 * user chooses.
 */
export function machineOfFile(
  { sender, names, nameParts }: { sender: string | undefined; names: readonly string[]; nameParts: readonly string[] },
  { bySerial, byChoice }: KnownNames,
): MachineOfFile {
  if (sender !== undefined) {
    const machineId = bySerial.get(serialKey(sender))
    return machineId === undefined ? 'unknownSerial' : { machineId, clue: 'sender' }
  }
  const found = (clue: MachineClue, keys: readonly string[], machines: ReadonlyMap<string, string | null>) =>
    keys.flatMap((key) => {
      const machineId = machines.get(key)
      return machineId ? [{ machineId, clue }] : []
    })
  const clues = [
    ...found('file', names, bySerial),
    ...found('choice', names, byChoice),
    ...found('fileName', nameParts, bySerial),
  ]
  const [first] = clues
  return first && clues.every(({ machineId }) => machineId === first.machineId) ? first : null
}
