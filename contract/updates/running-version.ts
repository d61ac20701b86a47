import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { oneOrMany } from '../frame/shapes.ts'
import { DeviceType } from '../vocabulary/device.ts'
import { Peripheral } from '../vocabulary/remote-command.ts'
import { UpdateKind } from '../vocabulary/update.ts'

/** Machines of the reader that reported a version of their firmware, cash database or peripheral. */
export const RunningVersion = z.strictObject({ version: z.string(), machines: z.int() })
export type RunningVersion = z.infer<typeof RunningVersion>

export const RunningVersions = z.strictObject({
  /** The most frequent first, at most `mostVersions`. */
  items: z.array(RunningVersion),
  /** Machines that reported none. */
  unknown: z.int(),
})
export type RunningVersions = z.infer<typeof RunningVersions>

/** More versions are not listed. */
export const mostVersions = 200

export const runningVersions = {
  listRunningVersions: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/running-versions',
    summary: 'Count machines by the version that they run',
    needs: 'machine.read',
    topics: ['machine'],
    query: z.strictObject({
      kind: UpdateKind,
      peripheral: Peripheral.optional(),
      deviceTypes: oneOrMany(DeviceType),
      groupIds: oneOrMany(ids.groupId),
    }),
    ok: RunningVersions,
    fails: ['GroupNotFound'],
  }),
}
