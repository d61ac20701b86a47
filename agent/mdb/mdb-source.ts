import { openSerialPort } from '../ports/serial-port.ts'
import type { MdbParts, MdbSource } from './mdb-parts.ts'
import type { MdbSettings } from './mdb-settings.ts'
import { openUsbSource } from './usb/usb-source.ts'
import { openVmflowSource } from './vmflow/vmflow-source.ts'

/** The adapter's speed is that of USB; a serial line of it has this one by default. */
const baud = 115_200

export function openMdbSource(settings: MdbSettings, parts: MdbParts): MdbSource {
  const { source } = settings
  if (source.kind === 'vmflow') return openVmflowSource(source, settings, parts)
  return openUsbSource(source, settings, { ...parts, open: () => openSerialPort({ path: source.path, baud }) })
}
