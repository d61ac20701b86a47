import { parseArgs } from 'node:util'
import { anAudit } from '../emulator/an-audit.ts'
import { noisyLine } from '../emulator/disturbance.ts'
import { emulate } from '../emulator/emulate.ts'
import { serialSettings } from '../ports/port-settings.ts'
import { openSerialPort } from '../ports/serial-port.ts'
import { portOptions, portSettingsOf } from './port-options.ts'

/** Is a machine on a port until it is stopped, or has been read `--times` times. Returns the exit code. */
export async function emulateCommand(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      ...portOptions,
      serial: { ...text, default: 'EMU0000001' },
      selections: { ...text, default: '4' },
      noise: { ...text, default: '0' },
      times: text,
    },
  })
  const settings = portSettingsOf(values)
  const port = await openSerialPort(serialSettings(settings))
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  let vends = 10
  let reads = 0
  const { protocol, role, baud } = settings
  const { serial } = values
  const file = () =>
    anAudit({ serial, selections: Number(values.selections), vends, time: new Date().toISOString().slice(0, 19) })
  await emulate(
    port,
    { protocol, baud, serial, role: role === 'master' ? 'master' : 'slave', file },
    {
      signal: stop.signal,
      disturb: values.noise === '0' ? undefined : noisyLine(Number(values.noise) / 100, Math.random),
      read() {
        vends += 3
        reads++
        console.info(`read ${reads} times`)
        if (values.times !== undefined && reads >= Number(values.times)) stop.abort()
      },
    },
  )
  await port.close()
  return 0
}
