// Installs a version in a folder, and is killed at one of the changes of the disk, in the middle of what it writes. Without the number of a change
// it prints how many there are.
import { writeFileSync } from 'node:fs'
import { type Disk, disk } from '#agent/disk/disk.ts'
import { openVersions } from '#agent/updates/versions.ts'

const [folder = '', commandId = '', last = 'Infinity'] = process.argv.slice(2)
let changes = 0

function dying<A extends unknown[]>(change: (...args: A) => void, half?: (...args: A) => void) {
  return (...args: A) => {
    if (changes++ < Number(last)) return change(...args)
    half?.(...args)
    process.kill(process.pid, 'SIGKILL')
  }
}
const dyingDisk: Disk = {
  write: dying(disk.write, (path, content) => writeFileSync(path, content.slice(0, content.length / 2))),
  rename: dying(disk.rename),
  makeFolder: dying(disk.makeFolder),
  remove: dying(disk.remove),
}

const files = ['main.mjs', 'serialport-linux-x64.node'].map((name) => ({
  name,
  content: Buffer.from(`all of ${name}`),
}))
openVersions(folder, '1.0.0.0', dyingDisk).install({ version: '2.0.0.0', files }, { former: '1.0.0.0', commandId })
console.info(changes)
