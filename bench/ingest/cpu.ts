import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100

/** The fields of `/proc/<pid>/stat` after the name, which may contain any character; undefined when the process is gone. */
function fieldsOf(pid: number | string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return undefined
  }
}

const seconds = (fields: readonly string[], from: number, count: number) =>
  fields.slice(from, from + count).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond

/** CPU seconds of a process in user and system mode; NaN outside Linux. */
export function cpuOf(pid: number): number {
  const fields = fieldsOf(pid)
  return fields ? seconds(fields, 11, 2) : Number.NaN
}

/** CPU seconds of a process, its children, and its ended children. */
export function cpuWithChildren(pid: number): number {
  const fields = fieldsOf(pid)
  if (!fields) return Number.NaN
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(fieldsOf)
    .filter((fields) => fields !== undefined && Number(fields[1]) === pid) as string[][]
  return children.reduce((sum, fields) => sum + seconds(fields, 11, 2), seconds(fields, 11, 4))
}

/** CPU seconds that the host withheld while a process here was ready to run, as far as the host reports them. */
export function stolenCpu(): number {
  const all = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? []
  return Number(all[8] ?? 0) / ticksPerSecond
}
