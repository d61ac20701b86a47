import { readFileSync } from 'node:fs'
import { networkInterfaces, uptime } from 'node:os'
import type { Hello } from '#contract/device-protocol.ts'
import { clockOf } from '../portal/clock.ts'
import { agentVersion } from '../version.ts'

/** What this computer says of itself in the hello. */
export function computerFacts(): Partial<Hello> {
  const model = contentOf('/proc/device-tree/model')?.replaceAll('\0', '').trim()
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return {
    bootAt: clockOf(Date.now() - uptime() * 1000),
    firmwareVersion: agentVersion,
    boardModel: model?.slice(0, 60),
    telemetryBoardType: 'gettone-agent',
    telemetryBoardVersion: agentVersion,
    macAddress: addresses.find(({ internal }) => !internal)?.mac,
  }
}

/** The signal of the wireless network in percent, where there is one. The kernel counts its quality to 70. */
export function computerSigns(): { signalPercent?: number } {
  const line = contentOf('/proc/net/wireless')?.split('\n')[2]
  const quality = Number.parseFloat(line?.trim().split(/\s+/)[2] ?? '')
  return Number.isNaN(quality) ? {} : { signalPercent: Math.min(100, Math.max(0, Math.round((quality / 70) * 100))) }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
