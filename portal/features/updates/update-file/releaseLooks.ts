import type { DeviceType } from '#contract/vocabulary/device.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import type { Peripheral } from '#contract/vocabulary/remote-command.ts'
import { writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import type { Say } from '#portal/ui/list/listProps.ts'

/** What a firmware and a cash database show alike in their lists. */
interface Release {
  deviceTypes: readonly DeviceType[]
  peripheral: Peripheral | null
  file: { bytes: number } | null
}

/** The cells of device types, peripheral and file. */
export const releaseLooks = (say: Say) => ({
  deviceTypes: {
    cell: ({ deviceTypes: some }: Release) =>
      some.length === deviceTypes.length
        ? say.t('firmware:allDeviceTypes')
        : some.map((type) => deviceTypeNames[type]).join(', '),
  },
  peripheral: {
    cell: ({ peripheral }: Release) =>
      peripheral === null ? say.t('machineItself') : say.t(`remote-command:peripheral.${peripheral}`),
  },
  file: {
    cell: ({ file }: Release) => (file ? writeBytes(file.bytes, say.format.number) : say.t('filter.withoutFile')),
    number: ({ file }: Release) => file?.bytes ?? null,
  },
})
